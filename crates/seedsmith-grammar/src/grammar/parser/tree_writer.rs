//! Grows the tree while parsing: tokens with the hidden lexemes before them, nodes, errors.
//!
//! Hidden lexemes are put before the node that follows them, outside of it; so the span of a node
//! that is not empty starts and ends with a token of that node.

use crate::grammar::lexer::{Lexeme, LexemeKind};
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::{NodeKind, Tree};

/// The tokens of the input and the tree so far.
#[derive(Debug)]
pub(super) struct TreeWriter {
    lexemes: Vec<Lexeme>,
    /// The tokens that the parser sees; the last is the end of the input.
    tokens: Vec<u32>,
    /// The lexeme of each token.
    lexeme_of: Vec<u32>,
    /// The token that comes next.
    at: usize,
    /// The first lexeme that isn't in the tree.
    written: usize,
    builder: TreeBuilder,
    length: u32,
}

impl TreeWriter {
    /// `length` is that of the input, in bytes.
    pub(super) fn new(lexemes: Vec<Lexeme>, length: u32) -> Self {
        let mut tokens = Vec::with_capacity(lexemes.len() + 1);
        let mut lexeme_of = Vec::with_capacity(lexemes.len() + 1);
        for (at, lexeme) in lexemes.iter().enumerate() {
            if lexeme.kind == LexemeKind::Token {
                tokens.push(lexeme.token);
                lexeme_of.push(at as u32);
            }
        }
        tokens.push(0);
        lexeme_of.push(lexemes.len() as u32);
        let builder = TreeBuilder::new();
        TreeWriter { lexemes, tokens, lexeme_of, at: 0, written: 0, builder, length }
    }

    /// The tokens from the next one on, the end of the input being the last.
    #[inline]
    pub(super) fn rest(&self) -> &[u32] {
        &self.tokens[self.at..]
    }

    /// The next token.
    #[inline]
    pub(super) fn next(&self) -> u32 {
        self.tokens[self.at]
    }

    /// The token after the next one.
    pub(super) fn second(&self) -> u32 {
        self.tokens.get(self.at + 1).copied().unwrap_or(0)
    }

    /// How many tokens were taken.
    #[inline]
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Where the next token starts.
    pub(super) fn offset(&self) -> u32 {
        let lexeme = self.lexemes.get(self.lexeme_of[self.at] as usize);
        lexeme.map_or(self.length, |lexeme| lexeme.start)
    }

    /// How many nodes are open.
    pub(super) fn depth(&self) -> usize {
        self.builder.depth()
    }

    /// The kind of the innermost open node.
    pub(super) fn top(&self) -> NodeKind {
        self.builder.top()
    }

    /// Opens a node before the next token.
    pub(super) fn open(&mut self, kind: NodeKind) {
        self.write_hidden();
        let start = self.offset();
        self.builder.open(kind, start);
    }

    /// Closes the innermost node.
    pub(super) fn close(&mut self) {
        self.builder.close();
    }

    /// Closes nodes until `depth` are open.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.builder.close_to(depth);
    }

    /// Changes the innermost node.
    pub(super) fn set_top(&mut self, kind: NodeKind) {
        self.builder.set_top(kind);
    }

    /// Puts the children of the innermost node into a new node of the same kind.
    pub(super) fn wrap(&mut self) {
        self.builder.wrap();
    }

    /// Takes the next token as a leaf. The end of the input can be taken any number of times.
    pub(super) fn take(&mut self) {
        self.write_hidden();
        let token = self.next();
        let start = self.offset();
        let Some(lexeme) =
            self.lexemes.get(self.written).filter(|_| self.at + 1 < self.tokens.len())
        else {
            self.builder.leaf(NodeKind::Token(token), start, start);
            return;
        };
        self.builder.leaf(NodeKind::Token(token), start, lexeme.end);
        self.written += 1;
        self.at += 1;
    }

    /// Adds a token that isn't there.
    pub(super) fn conjure(&mut self, token: u32) {
        self.write_hidden();
        let at = self.offset();
        self.builder.leaf(NodeKind::Missing(token), at, at);
    }

    /// The tree, with all that is left of the input in an error node, and how many tokens
    /// those were.
    pub(super) fn finish(mut self) -> (Tree, usize) {
        self.builder.close_to(1);
        let unread = self.tokens.len() - 1 - self.at;
        if unread > 0 {
            self.open(NodeKind::Error);
            while self.at + 1 < self.tokens.len() {
                self.take();
            }
            self.close();
        }
        self.write_hidden();
        // Long inputs are at their peak when the tree is laid out: the tokens needn't be there.
        drop((self.lexemes, self.tokens, self.lexeme_of));
        (self.builder.finish(self.length), unread)
    }

    /// Puts the hidden lexemes before the next token into the node that is open now.
    #[inline]
    fn write_hidden(&mut self) {
        let until = self.lexeme_of[self.at] as usize;
        while self.written < until {
            let lexeme = self.lexemes[self.written];
            let kind = match lexeme.kind {
                LexemeKind::Error => NodeKind::Error,
                _ => NodeKind::Trivia(lexeme.token),
            };
            self.builder.leaf(kind, lexeme.start, lexeme.end);
            // Whatever is open now holds it, even if no token follows.
            self.written += 1;
        }
    }
}
