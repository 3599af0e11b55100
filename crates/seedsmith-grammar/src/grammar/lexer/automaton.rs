//! The lexer's automaton, made on demand: sets of ATN positions by character class.
//!
//! The order of a set is the order of preference. A position carries the rule that it belongs
//! to, the stack of rules called, the commands met and whether it came through a decision that
//! takes as little as possible; such positions end where a better one of the same rule has
//! accepted. ANTLR's lexer does the same (runtime, `LexerATNSimulator`).

use super::decode::decode;
use crate::grammar::atn::StateId;
use crate::grammar::atn::lexer::{LexerAtn, LexerLabel};
use crate::grammar::hash::{FixedMap, FixedSet};
use crate::grammar::model::Command;
use crate::grammar::parser::StopCheck;

/// An edge that was not looked for yet.
const UNKNOWN: u32 = u32::MAX;
/// An edge that leads nowhere: no rule matches longer texts.
pub(super) const DEAD: u32 = u32::MAX - 1;

/// States kept before the automaton is started again; nested comments can make any number.
///
/// A bound on memory; a guess, not measured.
const MAX_STATES: usize = 50_000;
/// Table entries kept before the automaton is started again.
///
/// 16 Mi entries of 4 bytes are 64 MB.
const MAX_TABLE_ENTRIES: usize = 16 << 20;
/// Positions looked at in one step before the rest is given up: only rules that call themselves
/// several times without taking a character come near it.
///
/// A guess, not measured. Beyond it a longer match can be missed.
const MAX_CLOSURE_POSITIONS: usize = 200_000;
/// The same for a step's positions together.
const MAX_STEP_POSITIONS: usize = 400_000;
/// Rules entered inside each other in one step, at most. Where they are more than there are rules, one
/// calls itself without taking a character (`A: A 'a' | 'b'`), and its other alternatives come later.
/// A guess, not measured.
const MAX_CALLS: usize = 256;

/// How many bytes are looked at before patience is asked for again, and how many steps they count
/// for: a step of the parser takes as long as some bytes.
const STRETCH_BYTES: usize = 256;
const STRETCH_STEPS: u32 = 16;
/// How many steps a new state of the automaton counts for.
const NEW_STATE_STEPS: u32 = 16;

/// A rule's match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accept {
    /// The lexer rule.
    pub rule: u32,
    /// The commands, for [`Automaton::commands`].
    pub commands: u32,
}

/// How far it went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Longest {
    /// The rule, if one matched.
    pub accept: Option<Accept>,
    /// Where the match ends; if none, after the character that fits nothing.
    pub end: usize,
}

/// A place in the ATN, with the path that led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AtnPosition {
    /// The ATN's state.
    state: StateId,
    /// The lexer rule, of those that are tried together, that it belongs to.
    rule: u32,
    /// The numbered stack of states to go back to.
    stack: u32,
    /// The numbered list of commands met.
    commands: u32,
    /// Whether it came through a decision that takes as little as possible.
    passed_non_greedy: bool,
}

/// A state of the automaton: an ordered set of positions.
#[derive(Clone, Debug)]
struct DfaState {
    /// The preferred ones first.
    positions: Vec<AtnPosition>,
    /// The match of the first position at the end of its rule.
    accept: Option<Accept>,
}

/// The states made so far.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// Columns of the table: the classes of code points, and the end of the input.
    width: usize,
    /// The table, a row for each state.
    edges: Vec<u32>,
    states: Vec<DfaState>,
    /// The states by their positions.
    numbers: FixedMap<Vec<AtnPosition>, u32>,
    /// The start state of each mode, or [`UNKNOWN`].
    starts: Vec<u32>,
    /// Stacks of return states: (the stack below, the state); number 0 is the empty one.
    stacks: Vec<(u32, StateId)>,
    stack_numbers: FixedMap<(u32, StateId), u32>,
    commands: Vec<Vec<Command>>,
    command_numbers: FixedMap<(u32, u32), u32>,
    /// Positions looked at so far: a measure of the work that doesn't depend on the machine.
    pub(super) work: u64,
}

impl Automaton {
    /// No state is made yet.
    pub(super) fn new(atn: &LexerAtn) -> Self {
        Automaton {
            // One column more for the end of the input.
            width: atn.class_count + 1,
            edges: Vec::new(),
            states: Vec::new(),
            numbers: FixedMap::default(),
            starts: vec![UNKNOWN; atn.modes.len()],
            stacks: vec![(0, 0)],
            stack_numbers: FixedMap::default(),
            commands: vec![Vec::new()],
            command_numbers: FixedMap::default(),
            work: 0,
        }
    }

    /// The rule that a state accepts.
    pub(super) fn accepted(&self, state: u32) -> Option<Accept> {
        self.states[state as usize].accept
    }

    /// Which classes (without the end of the input) some of these rules can take in a state.
    pub(super) fn classes_for(
        &self,
        atn: &LexerAtn,
        state: u32,
        is_one: impl Fn(u32) -> bool,
    ) -> Vec<bool> {
        let mut taken = vec![false; atn.class_count];
        let positions = self.states[state as usize].positions.iter();
        for position in positions.filter(|position| is_one(position.rule)) {
            for edge in &atn.states[position.state as usize].edges {
                if let LexerLabel::Classes(number) = edge.label {
                    let fits = &atn.class_sets[number as usize];
                    taken.iter_mut().zip(fits).for_each(|(taken, fits)| *taken |= *fits);
                }
            }
        }
        taken
    }

    /// The state after a class, the end of the input being the last class.
    pub(super) fn next(&mut self, atn: &LexerAtn, state: u32, class: usize) -> u32 {
        match self.edges[state as usize * self.width + class] {
            UNKNOWN => self.step(atn, state, class),
            known => known,
        }
    }

    /// The commands of a match.
    pub(super) fn commands(&self, number: u32) -> &[Command] {
        &self.commands[number as usize]
    }

    /// The longest match at `at`; `None` where patience ends before it is known. A rule may look far
    /// beyond its match, and the next one again.
    pub(super) fn longest(
        &mut self,
        atn: &LexerAtn,
        mode: u32,
        input: &[u8],
        at: usize,
        stop_check: &mut StopCheck<'_>,
    ) -> Option<Longest> {
        if self.states.len() > MAX_STATES || self.edges.len() > MAX_TABLE_ENTRIES {
            let commands = std::mem::take(&mut self.commands);
            let command_numbers = std::mem::take(&mut self.command_numbers);
            *self = Automaton { commands, command_numbers, ..Automaton::new(atn) };
        }
        let mut state = self.start(atn, mode);
        let mut here = at;
        let mut best = self.states[state as usize].accept.map(|accept| (accept, here));
        let mut stretch_end = at + STRETCH_BYTES;
        loop {
            if here >= stretch_end {
                stretch_end = here + STRETCH_BYTES;
                if stop_check.must_stop(STRETCH_STEPS) {
                    return None;
                }
            }
            let (class, length) = if here < input.len() {
                let (code_point, length) = decode(input, here);
                (atn.class_of(code_point) as usize, length)
            } else {
                (self.width - 1, 0)
            };
            let mut next = self.edges[state as usize * self.width + class];
            if next == UNKNOWN {
                if stop_check.must_stop(NEW_STATE_STEPS) {
                    return None;
                }
                next = self.step(atn, state, class);
            }
            if next == DEAD {
                let stopped = (here + length).max(at);
                return Some(match best {
                    Some((accept, end)) => Longest { accept: Some(accept), end },
                    None => Longest { accept: None, end: stopped },
                });
            }
            state = next;
            here += length;
            if let Some(accept) = self.states[state as usize].accept {
                best = Some((accept, here));
            }
            // After the end there is only the end: once is enough.
            if length == 0 {
                return Some(match best {
                    Some((accept, end)) => Longest { accept: Some(accept), end },
                    None => Longest { accept: None, end: here },
                });
            }
        }
    }

    /// The start state of a mode, made where it is not known.
    pub(super) fn start(&mut self, atn: &LexerAtn, mode: u32) -> u32 {
        let known = self.starts[mode as usize];
        if known != UNKNOWN {
            return known;
        }
        let mut set = OrderedSet::with_steps(MAX_STEP_POSITIONS);
        for rule in &atn.modes[mode as usize] {
            let state = atn.starts[rule.index()];
            let position = AtnPosition {
                state,
                rule: rule.0,
                stack: 0,
                commands: 0,
                passed_non_greedy: false,
            };
            self.close(atn, position, false, false, &mut set);
        }
        let state = self.add(atn, set.list);
        self.starts[mode as usize] = state;
        state
    }

    /// Makes the state after a class: moves all positions that take it, in their order, and follows
    /// the edges that take nothing. After a rule has accepted, its positions that passed a
    /// non-greedy decision are dropped, as in ANTLR.
    fn step(&mut self, atn: &LexerAtn, from: u32, class: usize) -> u32 {
        let is_end = class == self.width - 1;
        let mut set = OrderedSet::with_steps(MAX_STEP_POSITIONS);
        let mut accepted_rule = None;
        let positions = std::mem::take(&mut self.states[from as usize].positions);
        for position in &positions {
            let is_behind = accepted_rule == Some(position.rule);
            // A non-greedy part ends where a preferred position of its rule has accepted.
            if is_behind && position.passed_non_greedy {
                continue;
            }
            for edge in &atn.states[position.state as usize].edges {
                let fits = match edge.label {
                    LexerLabel::Classes(number) => {
                        !is_end && atn.class_sets[number as usize][class]
                    }
                    LexerLabel::Eof => is_end,
                    _ => false,
                };
                if fits {
                    let target = moved(atn, position, edge.target);
                    if self.close(atn, target, is_behind, is_end, &mut set) {
                        accepted_rule = Some(position.rule);
                        break;
                    }
                }
            }
        }
        self.states[from as usize].positions = positions;
        let to = if set.list.is_empty() { DEAD } else { self.add(atn, set.list) };
        self.edges[from as usize * self.width + class] = to;
        to
    }

    /// Adds the positions that can be reached without taking anything, in order of preference;
    /// returns whether the position's rule has accepted.
    ///
    /// Depth first, with a list instead of recursion. `has_accepted` says whether a preferred
    /// position of the same rule has accepted.
    fn close(
        &mut self,
        atn: &LexerAtn,
        from: AtnPosition,
        mut has_accepted: bool,
        end_is_epsilon: bool,
        set: &mut OrderedSet,
    ) -> bool {
        let most_calls = atn.starts.len().min(MAX_CALLS);
        let mut todo = vec![(from, 0)];
        let mut steps = 0;
        while let Some((position, calls)) = todo.pop() {
            steps += 1;
            self.work += 1;
            if steps > MAX_CLOSURE_POSITIONS || set.steps == 0 {
                return has_accepted;
            }
            set.steps -= 1;
            let state = &atn.states[position.state as usize];
            if state.is_stop {
                if position.stack == 0 {
                    set.add(position);
                    has_accepted = true;
                } else {
                    let (below, back) = self.stacks[position.stack as usize];
                    let next = AtnPosition { stack: below, ..moved(atn, &position, back) };
                    todo.push((next, calls));
                }
                continue;
            }
            if has_accepted && position.passed_non_greedy && !state.epsilon_only {
                // The alternative that has accepted is preferred to this position; its edges that
                // take nothing still count.
            } else if !state.epsilon_only {
                set.add(position);
            }
            if !set.visited.insert((position, has_accepted)) {
                continue;
            }
            for edge in state.edges.iter().rev() {
                let mut next = moved(atn, &position, edge.target);
                let mut calls = calls;
                match edge.label {
                    LexerLabel::Epsilon => {}
                    LexerLabel::Eof if end_is_epsilon => {}
                    LexerLabel::Classes(_) | LexerLabel::Eof => continue,
                    LexerLabel::Rule { .. } if calls == most_calls => continue,
                    LexerLabel::Rule { follow, .. } => {
                        calls += 1;
                        next.stack = self.pushed(position.stack, follow);
                    }
                    LexerLabel::Commands(number) if position.stack == 0 => {
                        next.commands = self.with_commands(atn, position.commands, number);
                    }
                    LexerLabel::Commands(_) => {}
                }
                todo.push((next, calls));
            }
        }
        has_accepted
    }

    /// The number of a stack with one more state to go back to.
    fn pushed(&mut self, below: u32, back: StateId) -> u32 {
        let stacks = &mut self.stacks;
        *self.stack_numbers.entry((below, back)).or_insert_with(|| {
            stacks.push((below, back));
            stacks.len() as u32 - 1
        })
    }

    /// The number of a list of commands with those of an edge after it.
    fn with_commands(&mut self, atn: &LexerAtn, before: u32, number: u32) -> u32 {
        let commands = &mut self.commands;
        *self.command_numbers.entry((before, number)).or_insert_with(|| {
            let mut all = commands[before as usize].clone();
            all.extend_from_slice(&atn.commands[number as usize]);
            commands.push(all);
            commands.len() as u32 - 1
        })
    }

    /// The number of the state with these positions, made where there is none.
    fn add(&mut self, atn: &LexerAtn, positions: Vec<AtnPosition>) -> u32 {
        if let Some(&known) = self.numbers.get(&positions) {
            return known;
        }
        let number = self.states.len() as u32;
        let first = positions.iter().find(|p| atn.states[p.state as usize].is_stop);
        let accept = first.map(|p| Accept { rule: p.rule, commands: p.commands });
        self.numbers.insert(positions.clone(), number);
        self.states.push(DfaState { positions, accept });
        self.edges.resize(self.edges.len() + self.width, UNKNOWN);
        number
    }
}

/// The same position at another state.
fn moved(atn: &LexerAtn, from: &AtnPosition, state: StateId) -> AtnPosition {
    let passed = from.passed_non_greedy || atn.states[state as usize].is_non_greedy;
    AtnPosition { state, passed_non_greedy: passed, ..*from }
}

/// Positions in the order in which they came, each once.
#[derive(Default)]
struct OrderedSet {
    /// The positions.
    list: Vec<AtnPosition>,
    members: FixedSet<AtnPosition>,
    visited: FixedSet<(AtnPosition, bool)>,
    /// Positions that may still be looked at.
    steps: usize,
}

impl OrderedSet {
    /// An empty set, for which at most `steps` positions may be looked at.
    fn with_steps(steps: usize) -> Self {
        OrderedSet { steps, ..OrderedSet::default() }
    }

    /// Adds a position after the others, unless it is there.
    fn add(&mut self, position: AtnPosition) {
        if self.members.insert(position) {
            self.list.push(position);
        }
    }
}
