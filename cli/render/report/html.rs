//! Writes HTML. Text and attribute values are always escaped, and names of elements and attributes come from this
//! program alone, so nothing that was read can become markup.

use std::ops::Range;

use crate::render::marks::split;
use crate::render::visible::number;

/// A page in the making.
#[derive(Default)]
pub(super) struct Html {
    out: String,
}

/// Attributes by name.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// Elements that have no content and no end tag.
const VOID: [&str; 4] = ["meta", "br", "hr", "wbr"];

impl Html {
    /// A page with nothing but its document type.
    pub(super) fn new() -> Self {
        Self { out: "<!DOCTYPE html>\n".into() }
    }

    /// The finished page.
    pub(super) fn finish(self) -> String {
        self.out
    }

    /// An element with what `inside` writes.
    pub(super) fn element(&mut self, name: &'static str, attributes: Attributes<'_>, inside: impl FnOnce(&mut Self)) {
        debug_assert!(
            name != "script" && !attributes.iter().any(|(name, _)| name.starts_with("on") || *name == "href")
        );
        self.open(name, attributes);
        inside(self);
        self.close(name);
    }

    /// An element with a text.
    pub(super) fn leaf(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.element(name, attributes, |html| html.text(text));
    }

    /// A link to another place of the page; there are no others.
    pub(super) fn jump(&mut self, id: &str, label: &str) {
        self.open("a", &[("href", &format!("#{id}"))]);
        self.text(label);
        self.close("a");
    }

    /// The page's own style, as it stands in this program.
    pub(super) fn style(&mut self, css: &'static str) {
        self.out.push_str("<style>");
        self.out.push_str(css);
        self.out.push_str("</style>\n");
    }

    /// Text; characters that can not be seen become marked numbers.
    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars() {
            match number(c) {
                Some(number) => {
                    self.out.push_str("<span class=\"hidden\">");
                    self.out.push_str(&number);
                    self.out.push_str("</span>");
                }
                None => self.escaped(c),
            }
        }
    }

    /// Text with some of it marked.
    pub(super) fn marked(&mut self, text: &str, marks: &[Range<usize>]) {
        split(text, marks, |part, hit| match hit {
            true => self.leaf("mark", &[], part),
            false => self.text(part),
        });
    }

    fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            for c in value.chars() {
                match number(c) {
                    Some(number) => self.out.push_str(&number),
                    None => self.escaped(c),
                }
            }
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn close(&mut self, name: &'static str) {
        if VOID.contains(&name) {
            return;
        }
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        // Not behind elements within a line, where it would be seen, and not within `pre`.
        if matches!(name, "p" | "h1" | "h2" | "h3" | "section" | "tr" | "table" | "li" | "ul" | "ol" | "dd" | "head") {
            self.out.push('\n');
        }
    }

    fn escaped(&mut self, c: char) {
        match c {
            '&' => self.out.push_str("&amp;"),
            '<' => self.out.push_str("&lt;"),
            '>' => self.out.push_str("&gt;"),
            '"' => self.out.push_str("&quot;"),
            '\'' => self.out.push_str("&#39;"),
            c => self.out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        write(&mut html);
        html.finish()
    }

    #[test]
    fn nothing_becomes_markup() {
        let evil = "</pre><script>alert('x')</script>]]>&amp;\"\u{202e}\u{1b}[0m";
        let shown = "&lt;/pre&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;]]&gt;&amp;amp;&quot;";
        let hidden = "<span class=\"hidden\">⟨U+202E⟩</span><span class=\"hidden\">⟨U+001B⟩</span>[0m";
        assert_eq!(written(|html| html.text(evil)), format!("{shown}{hidden}"));
        let title = written(|html| html.leaf("b", &[("title", evil)], "x"));
        assert_eq!(title, format!("<b title=\"{shown}⟨U+202E⟩⟨U+001B⟩[0m\">x</b>"));
        assert_eq!(written(|html| html.jump("a\"b", "<")), "<a href=\"#a&quot;b\">&lt;</a>");
    }

    #[test]
    fn marks_are_escaped_too() {
        let page = written(|html| html.marked("a<b>c<", &[1..4, 5..6]));
        assert_eq!(page, "a<mark>&lt;b&gt;</mark>c<mark>&lt;</mark>");
    }
}
