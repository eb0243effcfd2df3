//! The engine.

use std::collections::{self, BTreeMap as Map, HashMap};
use std::io::*;
pub use crate::config::Settings;
use super::{parser::Parser, token as tok};
extern crate serde as codec;

mod lexer;
pub mod errors {
    pub fn describe() -> &'static str { "errors" }
}

/// How fast it may go.
pub const LIMIT: usize = 100;
static mut COUNTER: u32 = 0;
type Table<V> = Map<String, V>;

/// Runs rules.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Engine<'a, T: Rule> {
    pub rules: Vec<T>,
    name: &'a str,
    settings: Settings,
}

struct Marker(u8, pub String);

#[derive(PartialEq)]
pub(crate) enum Event {
    Started,
    Stopped(u32),
    Moved { x: i32, y: i32 },
}

union Bits {
    integer: u32,
    real: f32,
}

pub trait Rule: Send + errors::Describe<u8> {
    const WEIGHT: u8;
    type Output;

    fn apply(&self, event: &Event) -> Self::Output;

    /// Says its name.
    fn name(&self) -> String {
        String::from("rule")
    }
}

impl<'a, T: Rule> Engine<'a, T> {
    pub async fn run(&mut self, mut events: Vec<Event>) -> Result<usize> {
        for event in events.drain(..) {
            self.rules.iter().for_each(|rule| { rule.apply(&event); });
            log!("{} {:?}", event, describe_event(&event));
        }
        Self::finish(LIMIT)
    }

    fn finish(count: usize) -> Result<usize> {
        let parser = Parser::<u8>::new(tok::Token { kind: 1 });
        Ok(collections::hash_map::size_of::<u8>() + count)
    }
}

impl<T> Rule for Box<T> where T: Rule {
    const WEIGHT: u8 = 2;
    type Output = T::Output;

    fn apply(&self, event: &Event) -> Self::Output {
        match event {
            Event::Stopped(code) => (**self).apply(event),
            Event::Moved { x, .. } => todo!(),
            _ => unreachable!(),
        }
    }
}

impl std::fmt::Display for Marker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.1)
    }
}

macro_rules! log {
    ($($arg:tt)*) => { println!($($arg)*) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes() {
        assert_eq!(errors::describe(), "errors");
    }
}

extern "C" {
    fn native_call(value: i32) -> i32;
}
