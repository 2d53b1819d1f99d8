"""Markdown that tries to break a page, to act, or to lead out of the guide's folder."""

from hypothesis import strategies as st

ADDRESSES = (
    "class:n02361337",
    "class:n00000001",
    "class:n02361337/../x",
    "rodents.md",
    "nowhere.md",
    "../secret.md",
    "own.png",
    "deep/own.png",
    "link.png",
    "folder-link/secret.png",
    "loop/secret.png",
    "../secret.png",
    "deep/../../secret.png",
    "..%2fsecret.png",
    "%2e%2e/secret.png",
    "%252e%252e/secret.png",
    "．．/secret.png",
    "..\\secret.png",
    "picture:../secret.png",
    "{outside}/secret.png",
    "file://{outside}/secret.png",
    "file:{outside}/secret.png",
    "//localhost{outside}/secret.png",
    "http://127.0.0.1:9/secret.png",
    "https://example.org/a b",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:image/png;base64,iVBORw0KGgo=",
    "ref:n02363005/1",
    "ref:n02363005/9999",
    "ref:n02363005/../../x",
    "own.png%00.txt",
    "<own.png>",
    "",
)
WORDS = st.text(max_size=12) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '" onerror="x',
        "{{ 7*7 }}",
        "{% raw %}",
        "#strong[x]",
        "$x$",
        "|",
    ]
)


def nested(mark: str, words: str, depth: int) -> str:
    return mark * depth + words + mark * depth


PIECES = st.one_of(
    WORDS,
    st.builds("[{}]({})".format, WORDS, st.sampled_from(ADDRESSES)),
    st.builds("![{}]({})".format, WORDS, st.sampled_from(ADDRESSES)),
    st.builds("[{}]: {}\n\n[{}]".format, WORDS, st.sampled_from(ADDRESSES), WORDS),
    st.builds("<{}>".format, st.sampled_from(ADDRESSES)),
    st.builds(
        nested,
        st.sampled_from(["*", "**", "`", "[", ">", "- ", "1. ", "~", "!["]),
        WORDS,
        st.integers(1, 60),
    ),
    st.builds("\n| {} | {} |\n|---|---|\n| {} | {} |\n".format, WORDS, WORDS, WORDS, WORDS),
    st.builds("\n```{}\n{}\n```\n".format, WORDS, WORDS),
    st.builds("\n> {}\n".format, WORDS),
    st.builds(
        "\n{} {}\n".format, st.sampled_from(["###", "#", "-", "2)", "***", "===", "    "]), WORDS
    ),
    st.sampled_from(
        ["\n", "\n\n", "  \n", "\t", "\x00", "\x0b", "\u202e", "\ufeff", "&#x202E;", "&lt;"]
    ),
)
MARKDOWN = st.lists(PIECES, max_size=8).map("".join)
