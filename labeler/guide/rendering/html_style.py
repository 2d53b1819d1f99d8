"""The style of a page; colours and sizes come from the theme."""

from dataclasses import dataclass

HEADING_START = '<p class="{}">'
HEADING_END = "</p>"


def heading_html(html: str, *, rank: str) -> str:
    """Return a heading of a rank in the style sheet: title, heading or lesser."""
    return HEADING_START.format(rank) + html + HEADING_END


@dataclass(frozen=True, slots=True)
class PageStyle:
    """The colours of a page as `#rrggbb`, and its font sizes in points."""

    text: str
    muted: str
    link: str
    line: str
    head: str
    focus: str
    focus_line: str
    caption: float
    body: float
    heading: float
    title: float


def page_style_sheet(style: PageStyle) -> str:
    """Return the style sheet of a page, in the CSS subset of Qt's text browser."""
    return f"""
    body {{ color: {style.text}; font-size: {style.body:.1f}pt; }}
    p, li {{ line-height: 125%; margin: 0 0 8px 0; }}
    ul, ol {{ margin: 0 0 0 16px; -qt-list-indent: 0; }}
    p.title {{ font-size: {style.title:.1f}pt; font-weight: 600; line-height: 110%; }}
    p.heading {{ font-size: {style.heading:.1f}pt; font-weight: 600; margin: 20px 0 8px 0; }}
    p.lesser {{ font-weight: 600; margin: 16px 0 4px 0; }}
    p.entry {{ margin: 0 0 4px 0; }}
    a {{ color: {style.link}; }}
    code, pre {{ font-family: monospace; }}
    table {{ margin: 8px 0 0 0; }}
    th {{ text-align: left; font-size: {style.caption:.1f}pt; font-weight: 600;
          color: {style.muted}; padding: 4px 8px; background-color: {style.head};
          border-bottom: 1px solid {style.line}; }}
    td {{ padding: 8px; vertical-align: top; line-height: 125%;
          border-bottom: 1px solid {style.line}; }}
    td.focus {{ background-color: {style.focus}; border-bottom: 1px solid {style.focus_line}; }}
    td.picture {{ padding: 0 8px 8px 0; border: none; line-height: 100%; }}
    p.caption {{ font-size: {style.caption:.1f}pt; color: {style.muted}; margin: 4px 0 0 0; }}
    .or, .page-link, .missing, .address, .notice {{ color: {style.muted}; }}
    .page-link, .foot, .foot li, .foot p {{ font-size: {style.caption:.1f}pt; }}
    .foot, .foot li, .foot p {{ color: {style.muted}; margin: 0 0 4px 0; }}
    """
