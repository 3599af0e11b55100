//! SVG and a renderer: shapes, paths, styles and references become coverage of a small raster.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::HashMap;
use std::str::FromStr;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use svgtypes::{Color, Length, LengthUnit, PathParser, PathSegment, PointsParser, Transform, ViewBox};

const SIDE: usize = 12;
const MOST_SHAPES: usize = 48;

struct Element {
    name: String,
    attributes: HashMap<String, String>,
    children: Vec<Element>,
    text: String,
}

fn element(start: &BytesStart<'_>) -> Option<Element> {
    let mut attributes = HashMap::new();
    for attribute in start.attributes() {
        let attribute = attribute.ok()?;
        let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?.into_owned();
        attributes.insert(attribute.key.into_inner().to_owned(), value);
    }
    let name = start.name().into_inner().to_owned();
    Some(Element { name, attributes, children: Vec::new(), text: String::new() })
}

/// The only root of a document without anything unclosed.
fn parse(text: &str) -> Option<Element> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut open: Vec<Element> = Vec::new();
    let mut root = None;
    loop {
        let closed = match reader.read_event().ok()? {
            Event::Start(start) if root.is_none() => {
                open.push(element(&start)?);
                None
            }
            Event::Empty(start) if root.is_none() => Some(element(&start)?),
            Event::Start(_) | Event::Empty(_) => return None,
            Event::End(_) => Some(open.pop()?),
            Event::Text(text) => {
                match open.last_mut() {
                    Some(element) => element.text.push_str(&text),
                    None if text.trim().is_empty() => {}
                    None => return None,
                }
                None
            }
            Event::Eof => return if open.is_empty() { root } else { None },
            _ => None,
        };
        if let Some(closed) = closed {
            match open.last_mut() {
                Some(parent) => parent.children.push(closed),
                None => root = Some(closed),
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Style {
    fill: Option<[u8; 3]>,
    stroke: Option<[u8; 3]>,
    width: f64,
    opacity: f64,
    even_odd: bool,
    size: f64,
}

impl Style {
    fn set(&mut self, name: &str, value: &str) {
        let value = value.trim();
        let colour = || match value {
            "none" | "transparent" => None,
            _ => Color::from_str(value).ok().map(|one| [one.red, one.green, one.blue]),
        };
        match name.trim() {
            "fill" => self.fill = colour(),
            "stroke" => self.stroke = colour(),
            "stroke-width" => self.width = length(value, self.size, 1.0),
            "fill-rule" => self.even_odd = value == "evenodd",
            "opacity" | "fill-opacity" => {
                let part = value.strip_suffix('%').map(|one| (one, 100.0)).unwrap_or((value, 1.0));
                self.opacity *= part.0.parse().map_or(1.0, |one: f64| (one / part.1).clamp(0.0, 1.0));
            }
            "font-size" => self.size = length(value, self.size, 10.0),
            "display" if value == "none" => self.opacity = 0.0,
            _ => {}
        }
    }
}

fn length(text: &str, size: f64, otherwise: f64) -> f64 {
    let Ok(length) = Length::from_str(text) else { return otherwise };
    length.number
        * match length.unit {
            LengthUnit::None | LengthUnit::Px => 1.0,
            LengthUnit::Em => size,
            LengthUnit::Ex => size / 2.0,
            LengthUnit::In => 96.0,
            LengthUnit::Cm => 96.0 / 2.54,
            LengthUnit::Mm => 96.0 / 25.4,
            LengthUnit::Pt => 96.0 / 72.0,
            LengthUnit::Pc => 16.0,
            LengthUnit::Percent => SIDE as f64 / 100.0,
        }
}

fn after(first: Transform, then: Transform) -> Transform {
    Transform {
        a: first.a * then.a + first.c * then.b,
        b: first.b * then.a + first.d * then.b,
        c: first.a * then.c + first.c * then.d,
        d: first.b * then.c + first.d * then.d,
        e: first.a * then.e + first.c * then.f + first.e,
        f: first.b * then.e + first.d * then.f + first.f,
    }
}

type Point = (f64, f64);

/// Points of a path, each subpath for itself.
struct Outline {
    rings: Vec<Vec<Point>>,
    at: Point,
    control: Option<Point>,
}

impl Outline {
    fn new() -> Self {
        Outline { rings: Vec::new(), at: (0.0, 0.0), control: None }
    }

    fn to(&mut self, point: Point) {
        if self.rings.is_empty() {
            self.rings.push(vec![self.at]);
        }
        self.rings.last_mut().expect("there is one").push(point);
        self.at = point;
    }

    fn curve(&mut self, [one, two, end]: [Point; 3]) {
        let from = self.at;
        for step in 1..=6 {
            let t = f64::from(step) / 6.0;
            let u = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            self.to((mix(from.0, one.0, two.0, end.0), mix(from.1, one.1, two.1, end.1)));
        }
    }

    fn path(text: &str) -> Self {
        let mut outline = Outline::new();
        for segment in PathParser::from(text).take(MOST_SHAPES) {
            let Ok(segment) = segment else { break };
            let at = outline.at;
            let place = |abs: bool, x: f64, y: f64| if abs { (x, y) } else { (at.0 + x, at.1 + y) };
            let mirrored = outline.control.map_or(at, |one| (2.0 * at.0 - one.0, 2.0 * at.1 - one.1));
            let mut control = None;
            match segment {
                PathSegment::MoveTo { abs, x, y } => {
                    outline.at = place(abs, x, y);
                    outline.rings.push(vec![outline.at]);
                }
                PathSegment::LineTo { abs, x, y } => outline.to(place(abs, x, y)),
                PathSegment::HorizontalLineTo { abs, x } => outline.to((place(abs, x, 0.0).0, at.1)),
                PathSegment::VerticalLineTo { abs, y } => outline.to((at.0, place(abs, 0.0, y).1)),
                PathSegment::CurveTo { abs, x1, y1, x2, y2, x, y } => {
                    control = Some(place(abs, x2, y2));
                    outline.curve([place(abs, x1, y1), place(abs, x2, y2), place(abs, x, y)]);
                }
                PathSegment::SmoothCurveTo { abs, x2, y2, x, y } => {
                    control = Some(place(abs, x2, y2));
                    outline.curve([mirrored, place(abs, x2, y2), place(abs, x, y)]);
                }
                PathSegment::Quadratic { abs, x1, y1, x, y } => {
                    control = Some(place(abs, x1, y1));
                    outline.curve([place(abs, x1, y1), place(abs, x1, y1), place(abs, x, y)]);
                }
                PathSegment::SmoothQuadratic { abs, x, y } => {
                    control = Some(mirrored);
                    outline.curve([mirrored, mirrored, place(abs, x, y)]);
                }
                PathSegment::EllipticalArc { abs, rx, ry, x_axis_rotation, large_arc, sweep, x, y } => {
                    let end = place(abs, x, y);
                    if rx == 0.0 || ry == 0.0 {
                        outline.to(end);
                    } else {
                        let turn = x_axis_rotation.to_radians() + if sweep { 1.5 } else { -1.5 };
                        let far = if large_arc { 2.0 } else { 0.5 };
                        let middle = ((at.0 + end.0) / 2.0, (at.1 + end.1) / 2.0);
                        let bulge = (middle.0 + far * rx * turn.cos(), middle.1 + far * ry * turn.sin());
                        outline.curve([bulge, bulge, end]);
                    }
                }
                PathSegment::ClosePath { .. } => {
                    if let Some(first) = outline.rings.last().and_then(|ring| ring.first().copied()) {
                        outline.to(first);
                    }
                }
            }
            outline.control = control;
        }
        outline
    }

    fn ellipse(centre: Point, radius: Point) -> Self {
        let mut outline = Outline::new();
        if radius.0 > 0.0 && radius.1 > 0.0 {
            for step in 0..12 {
                let turn = f64::from(step) * std::f64::consts::TAU / 12.0;
                outline.at = (centre.0 + radius.0 * turn.cos(), centre.1 + radius.1 * turn.sin());
                outline.to(outline.at);
            }
        }
        outline
    }
}

struct Renderer<'d> {
    by_name: HashMap<&'d str, &'d Element>,
    raster: Vec<[f64; 3]>,
    shapes: usize,
    letters: usize,
}

impl<'d> Renderer<'d> {
    fn name_all(&mut self, element: &'d Element) {
        if let Some(id) = element.attributes.get("id") {
            self.by_name.entry(id).or_insert(element);
        }
        element.children.iter().for_each(|child| self.name_all(child));
    }

    fn paint(&mut self, at: (usize, usize), colour: [u8; 3], opacity: f64) {
        let pixel = &mut self.raster[at.1 * SIDE + at.0];
        for (own, new) in pixel.iter_mut().zip(colour) {
            *own = *own * (1.0 - opacity) + f64::from(new) * opacity;
        }
    }

    fn fill(&mut self, outline: &Outline, style: Style, transform: Transform) {
        let place = |(x, y): Point| {
            (
                transform.a * x + transform.c * y + transform.e,
                transform.b * x + transform.d * y + transform.f,
            )
        };
        let rings: Vec<Vec<Point>> =
            outline.rings.iter().map(|ring| ring.iter().copied().map(place).collect()).collect();
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
                let (mut winding, mut near) = (0, f64::MAX);
                for ring in &rings {
                    for (index, from) in ring.iter().enumerate() {
                        let to = ring[(index + 1) % ring.len()];
                        let side = (to.0 - from.0) * (py - from.1) - (px - from.0) * (to.1 - from.1);
                        if from.1 <= py && to.1 > py && side > 0.0 {
                            winding += 1;
                        } else if from.1 > py && to.1 <= py && side < 0.0 {
                            winding -= 1;
                        }
                        let long = (to.0 - from.0).hypot(to.1 - from.1);
                        if long > 0.0 {
                            let along = ((px - from.0) * (to.0 - from.0) + (py - from.1) * (to.1 - from.1)) / long;
                            if (0.0..=long).contains(&along) {
                                near = near.min(side.abs() / long);
                            }
                        }
                    }
                }
                let is_inside = if style.even_odd { winding % 2 != 0 } else { winding != 0 };
                if let (true, Some(colour)) = (is_inside, style.fill) {
                    self.paint((x, y), colour, style.opacity);
                }
                if let (true, Some(colour)) = (near <= style.width / 2.0, style.stroke) {
                    self.paint((x, y), colour, style.opacity);
                }
            }
        }
    }

    fn draw(&mut self, element: &'d Element, mut style: Style, mut transform: Transform, depth: usize) {
        self.shapes += 1;
        if self.shapes > MOST_SHAPES || depth > 12 {
            return;
        }
        for (name, value) in &element.attributes {
            match name.as_str() {
                "style" => {
                    let pairs = value.split(';').filter_map(|pair| pair.split_once(':'));
                    pairs.for_each(|(name, value)| style.set(name, value));
                }
                "transform" => {
                    if let Ok(own) = Transform::from_str(value) {
                        transform = after(transform, own);
                    }
                }
                _ => style.set(name, value),
            }
        }
        let number = |name: &str| {
            element.attributes.get(name).map_or(0.0, |value| length(value, style.size, 0.0))
        };
        let outline = match element.name.as_str() {
            "svg" | "g" | "a" | "symbol" => {
                if let Some(Ok(view)) = element.attributes.get("viewBox").map(|one| ViewBox::from_str(one)) {
                    let scale = (SIDE as f64 / view.w).min(SIDE as f64 / view.h);
                    let into = Transform::new(scale, 0.0, 0.0, scale, -view.x * scale, -view.y * scale);
                    transform = after(transform, into);
                }
                for child in &element.children {
                    self.draw(child, style, transform, depth + 1);
                }
                return;
            }
            "use" => {
                let to = element.attributes.get("href").or(element.attributes.get("xlink:href"));
                let named = to.and_then(|to| to.strip_prefix('#')).and_then(|id| self.by_name.get(id).copied());
                let moved = Transform::new(1.0, 0.0, 0.0, 1.0, number("x"), number("y"));
                if let Some(other) = named {
                    self.draw(other, style, after(transform, moved), depth + 1);
                }
                return;
            }
            "rect" => {
                let (x, y, w, h) = (number("x"), number("y"), number("width"), number("height"));
                let mut outline = Outline::new();
                let (rx, ry) = (number("rx").min(w / 2.0), number("ry").min(h / 2.0));
                if rx > 0.0 || ry > 0.0 {
                    let (rx, ry) = (if rx > 0.0 { rx } else { ry }, if ry > 0.0 { ry } else { rx });
                    outline.at = (x + rx, y);
                    outline.to((x + w - rx, y));
                    outline.curve([(x + w, y), (x + w, y), (x + w, y + ry)]);
                    outline.to((x + w, y + h - ry));
                    outline.curve([(x + w, y + h), (x + w, y + h), (x + w - rx, y + h)]);
                    outline.to((x + rx, y + h));
                    outline.curve([(x, y + h), (x, y + h), (x, y + h - ry)]);
                    outline.to((x, y + ry));
                } else if w > 0.0 && h > 0.0 {
                    outline.at = (x, y);
                    [(x + w, y), (x + w, y + h), (x, y + h)].into_iter().for_each(|point| outline.to(point));
                }
                outline
            }
            "circle" => Outline::ellipse((number("cx"), number("cy")), (number("r"), number("r"))),
            "ellipse" => Outline::ellipse((number("cx"), number("cy")), (number("rx"), number("ry"))),
            "line" => {
                let mut outline = Outline::new();
                outline.at = (number("x1"), number("y1"));
                outline.to((number("x2"), number("y2")));
                outline
            }
            "polygon" | "polyline" => {
                let mut outline = Outline::new();
                let points = element.attributes.get("points").map_or("", String::as_str);
                for (x, y) in PointsParser::from(points).take(MOST_SHAPES) {
                    if outline.rings.is_empty() {
                        outline.at = (x, y);
                    }
                    outline.to((x, y));
                }
                outline
            }
            "path" => Outline::path(element.attributes.get("d").map_or("", String::as_str)),
            "text" => {
                let mut x = number("x");
                for letter in element.text.trim().chars().take(16) {
                    let wide = if letter.is_uppercase() { 0.8 } else if letter.is_alphanumeric() { 0.6 } else { 0.3 };
                    self.letters += 1;
                    let centre = (x + wide * style.size / 2.0, number("y") - style.size / 2.0);
                    self.fill(&Outline::ellipse(centre, (style.size / 3.0, style.size / 2.0)), style, transform);
                    x += wide * style.size;
                }
                return;
            }
            _ => return,
        };
        self.fill(&outline, style, transform);
    }
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Some(root) = parse(text) else { return false };
    if goes_on {
        harness::after(|| {
            let raster = vec![[255.0; 3]; SIDE * SIDE];
            let mut renderer = Renderer { by_name: HashMap::new(), raster, shapes: 0, letters: 0 };
            renderer.name_all(&root);
            let style =
                Style { fill: Some([0; 3]), stroke: None, width: 1.0, opacity: 1.0, even_odd: false, size: 8.0 };
            renderer.draw(&root, style, Transform::new(1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 0);
            std::hint::black_box((renderer.raster, renderer.letters));
        });
    }
    true
}

target!(process, "xml");
