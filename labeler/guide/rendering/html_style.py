"""How a page looks: colours and sizes come from the theme, the rest from here."""

from dataclasses import dataclass

HEADING_START = '<p class="{}">'
HEADING_END = "</p>"


def heading_html(html: str, *, rank: str) -> str:
    """A heading of a rank that the style sheet knows: title, heading or lesser."""
    return HEADING_START.format(rank) + html + HEADING_END


@dataclass(frozen=True, slots=True)
class PageStyle:
    """The colours of a page as `#rrggbb`, and its sizes of type in points."""

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
    """The style sheet of a page, in the part of CSS that Qt's text browser knows."""
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
    .or, .beside, .missing, .address, .notice {{ color: {style.muted}; }}
    .beside, .foot, .foot li, .foot p {{ font-size: {style.caption:.1f}pt; }}
    .foot, .foot li, .foot p {{ color: {style.muted}; margin: 0 0 4px 0; }}
    """
