//! What keys of the vocabulary can look like: patterns that walk it, so that variants are found without a pass over all
//! terms.

use pincite_shared::index_format::vocabulary::Pattern;
use pincite_shared::tokenizer::{begins_integer_suffix, is_integer_suffix};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// The characters that are the same but for case, itself included: simple case folding, as in the regex crate.
pub(super) fn variants(c: char) -> Vec<char> {
    let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
    if class.try_case_fold_simple().is_err() {
        return vec![c];
    }
    class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect()
}

/// A text in any case.
pub(super) struct AnyCase {
    /// Per character, its variants in UTF-8.
    chars: Vec<Vec<Vec<u8>>>,
    /// Whether a key may go on behind the text.
    open: bool,
}

impl AnyCase {
    /// Keys that are `mark` followed by the text.
    pub(super) fn new(mark: Option<u8>, text: &str, open: bool) -> Self {
        let mark = mark.map(|byte| vec![vec![byte]]);
        let utf8 = |c: char| c.to_string().into_bytes();
        let chars = text.chars().map(|c| variants(c).into_iter().map(utf8).collect());
        Self { chars: mark.into_iter().chain(chars).collect(), open }
    }
}

impl Pattern for AnyCase {
    /// Characters matched, and the beginning of the next one.
    type State = (usize, [u8; 4], usize);

    fn start(&self) -> Self::State {
        (0, [0; 4], 0)
    }

    fn step(&self, state: &Self::State, byte: u8) -> Option<Self::State> {
        let (at, mut piece, len) = *state;
        let Some(variants) = self.chars.get(at) else { return self.open.then_some((at, piece, 0)) };
        *piece.get_mut(len)? = byte;
        let begun = &piece[..len + 1];
        if variants.iter().any(|variant| variant == begun) {
            return Some((at + 1, [0; 4], 0));
        }
        variants.iter().any(|variant| variant.starts_with(begun)).then_some((at, piece, len + 1))
    }

    fn accepts(&self, (at, _, len): &Self::State) -> bool {
        *at == self.chars.len() && *len == 0
    }
}

/// What stands behind a number in its run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tail {
    bytes: [u8; 5],
    len: usize,
}

impl Tail {
    /// `None` when no suffix begins like this; otherwise a walk would go through every word that begins with the digits.
    fn with(mut self, byte: u8) -> Option<Self> {
        *self.bytes.get_mut(self.len)? = byte;
        self.len += 1;
        begins_integer_suffix(&self.bytes[..self.len]).then_some(self)
    }

    fn is_suffix(&self) -> bool {
        str::from_utf8(&self.bytes[..self.len]).is_ok_and(is_integer_suffix)
    }
}

/// `0x` and the value of decimal digits, in any case, with leading zeros and an integer suffix.
pub(super) struct Hexadecimal {
    /// Lower case, without leading zeros; empty for zero.
    digits: Vec<u8>,
}

impl Hexadecimal {
    pub(super) fn new(decimal: &[u8]) -> Self {
        // Lowest digit first; terms are short enough for schoolbook arithmetic.
        let mut value: Vec<u8> = Vec::new();
        for digit in decimal {
            let mut carry = u32::from(digit - b'0');
            for place in &mut value {
                let sum = u32::from(*place) * 10 + carry;
                (*place, carry) = ((sum % 16) as u8, sum / 16);
            }
            if carry > 0 {
                value.push(carry as u8);
            }
        }
        Self { digits: value.iter().rev().map(|place| b"0123456789abcdef"[usize::from(*place)]).collect() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HexadecimalState {
    Start,
    Zero,
    /// Behind `0x`, and whether a zero stands there.
    Lead(bool),
    Digits(usize),
    Suffix(Tail),
}

impl Pattern for Hexadecimal {
    type State = HexadecimalState;

    fn start(&self) -> Self::State {
        HexadecimalState::Start
    }

    fn step(&self, state: &Self::State, byte: u8) -> Option<Self::State> {
        use HexadecimalState::{Digits, Lead, Start, Suffix, Zero};
        let next = |at: usize| self.digits.get(at) == Some(&byte.to_ascii_lowercase());
        match *state {
            Start => (byte == b'0').then_some(Zero),
            Zero => matches!(byte, b'x' | b'X').then_some(Lead(false)),
            Lead(_) if byte == b'0' => Some(Lead(true)),
            Lead(_) if next(0) => Some(Digits(1)),
            Lead(true) if self.digits.is_empty() => Tail::default().with(byte).map(Suffix),
            Lead(_) => None,
            Digits(at) if next(at) => Some(Digits(at + 1)),
            Digits(at) if at == self.digits.len() => Tail::default().with(byte).map(Suffix),
            Digits(_) => None,
            Suffix(tail) => tail.with(byte).map(Suffix),
        }
    }

    fn accepts(&self, state: &Self::State) -> bool {
        match state {
            HexadecimalState::Lead(zero) => *zero && self.digits.is_empty(),
            HexadecimalState::Digits(at) => *at == self.digits.len(),
            HexadecimalState::Suffix(tail) => tail.is_suffix(),
            HexadecimalState::Start | HexadecimalState::Zero => false,
        }
    }
}

/// Digits with an integer suffix; with `_` between them or before the suffix when `separated`, without any when not.
pub(super) struct Digits<'a> {
    pub(super) digits: &'a [u8],
    pub(super) separated: bool,
}

/// How far digits came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DigitsState {
    at: usize,
    seen: bool,
    /// Behind a separator.
    pending: bool,
    tail: Tail,
}

impl Pattern for Digits<'_> {
    type State = DigitsState;

    fn start(&self) -> Self::State {
        DigitsState::default()
    }

    fn step(&self, state: &Self::State, byte: u8) -> Option<Self::State> {
        let mut next = *state;
        if self.separated && byte == b'_' && state.at > 0 && state.tail.len == 0 {
            (next.pending, next.seen) = (true, true);
            return Some(next);
        }
        next.pending = false;
        if state.at < self.digits.len() {
            next.at += 1;
            return (self.digits[state.at] == byte).then_some(next);
        }
        next.tail = state.tail.with(byte)?;
        Some(next)
    }

    fn accepts(&self, state: &Self::State) -> bool {
        state.at == self.digits.len() && !state.pending && state.seen == self.separated && state.tail.is_suffix()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts<P: Pattern>(pattern: &P, key: &str) -> bool {
        pattern.holds(key.as_bytes())
    }

    //
    #[test]
    fn patterns_accept_what_they_say() {
        let closed = AnyCase::new(None, "Straße_k", false);
        for (key, expected) in [
            ("Straße_k", true),
            ("STRAẞE_K", true),
            ("straſſe_k", false),
            ("straße_\u{212a}", true),
            ("straße_kk", false),
            ("straße_", false),
        ] {
            assert_eq!(accepts(&closed, key), expected, "{key}");
        }
        let open = AnyCase::new(Some(1), "1a", true);
        assert!(accepts(&open, "\u{1}1Abc") && accepts(&open, "\u{1}1a") && !accepts(&open, "1a"));
        let hexadecimal = Hexadecimal::new(b"23487");
        for key in ["0x5bbf", "0X5BBF", "0x0005bBfULL", "0x5bbfu32"] {
            assert!(accepts(&hexadecimal, key), "{key}");
        }
        for key in ["5bbf", "0x5bbf0", "0x15bbf", "0x5bb", "0x5bbfx", "x5bbf", "00x5bbf"] {
            assert!(!accepts(&hexadecimal, key), "{key}");
        }
        let zero = Hexadecimal::new(b"000");
        assert!(accepts(&zero, "0x0") && accepts(&zero, "0x00u") && !accepts(&zero, "0x") && !accepts(&zero, "0x1"));
        assert_eq!(
            Hexadecimal::new(b"340282366920938463463374607431768211456").digits,
            [b"1", &[b'0'; 32][..]].concat()
        );
        let separated = Digits { digits: b"23487", separated: true };
        for key in ["23_487", "2_3__487u", "23487_u32", "23_487_ull"] {
            assert!(accepts(&separated, key), "{key}");
        }
        for key in ["23487", "23487u", "23_487_", "_23_487", "23_4870", "23_487x", "23_487_x"] {
            assert!(!accepts(&separated, key), "{key}");
        }
        let plain = Digits { digits: b"487", separated: false };
        assert!(accepts(&plain, "487") && accepts(&plain, "487ul") && !accepts(&plain, "4_87"));
    }
}
