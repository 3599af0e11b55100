import d, { a as b, c } from "m";
import * as ns from './n.js';
import 'side';
export default class { }
export { b as default, c };
export * from "o"
export const z = 0x1F + 0b1 + 0o7 + .5e-3;
