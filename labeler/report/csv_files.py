"""Tables as CSV."""

import csv
from io import StringIO

from labeler.report.table import ReportTable


def table_csv(table: ReportTable) -> bytes:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(table.rows)
    return text.getvalue().encode("utf-8", "replace")
