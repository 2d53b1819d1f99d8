"""A study as pandas DataFrames, for notebooks and scripts.

    import labeler

    with labeler.open("mystudy") as study:
        study.answers.groupby("participant").active_seconds.median()
        study.accuracy(metric="multi_label")

Nothing here changes the contents of a study.
"""

from labeler.api.drawing import StudyFigure
from labeler.api.study_data import LOCKED_ANSWERS, StudyData

__all__ = ["LOCKED_ANSWERS", "StudyData", "StudyFigure"]
