"""How every number was computed: paragraphs for the report and for a paper."""

from labeler.core.metrics.report_contents import ReportContents
from labeler.core.statistics.class_resampling import CLASS_AVERAGE_RESAMPLES as CLASS_RESAMPLES
from labeler.core.statistics.linear_fit import MIN_POINTS_FOR_INTERVAL

Paragraph = tuple[str, str]


_PARAGRAPHS: tuple[Paragraph, ...] = (
    (
        "Images",
        "The base of a dataset is its evaluation sample; without a sample, the images that a "
        "human answered; without those, all images. Problematic images and images judged "
        "with no correct label are excluded from every metric. Unjudged images are excluded "
        "from the multi-label metrics only.",
    ),
    (
        "Accuracy",
        "Top-1: the answer is the target. Top-5: the target is among a model’s first five "
        "guesses. Multi-label: the answer is among the labels judged correct; an unjudged "
        "answer to a judged image counts as wrong, and the number of such answers is given. "
        "Imputed: the alternative replaces an escape hatch. Accuracies are over the images "
        "that the participant answered.",
    ),
    (
        "Intervals",
        "Proportions have exact 95 % Clopper–Pearson intervals. Accuracies averaged per "
        "class are not proportions; their intervals are percentiles of {class_resamples:,} "
        "bootstrap resamples of whole classes.",
    ),
    (
        "Subsets",
        "Class subsets are defined by the target. Fast images have a median active time of at most "
        "{fast_seconds:g} s over the humans who answered, the mean of the two "
        "middle times if their number is even. Problematic images with a correct label are a "
        "subset of their own.",
    ),
    (
        "Gaps and ranks",
        "A gap is the accuracy on the original dataset minus that on the new one. Ranks are"
        " computed separately for humans and models, among those with both accuracies; equal "
        "accuracies share the lowest rank; the change is the original rank minus the new "
        "one.",
    ),
    (
        "Earlier exposure",
        "A participant has seen an image before if they trained on it, reviewed its labels or "
        "declared it as known before the evaluation was locked. Accuracies on these images and "
        "on the others are given for everyone who had seen some.",
    ),
    (
        "Confidence",
        "Where labelers were asked how sure they are, from 1 to 5, the accuracy is given "
        "separately for each step that a labeler chose.",
    ),
    (
        "McNemar’s test",
        "Exact and two-sided, from the binomial distribution of the images on which exactly"
        " one of the two is correct, among those both answered, without a mid-p correction;"
        " without such an image p is 1.",
    ),
    (
        "Class resampling",
        "As many classes as the subset has are drawn without replacement from those present, "
        "{trials:,} times. lower and upper are (k + 1)/(trials + 1), where k counts the draws with "
        "at most, or at least, the subset’s accuracy; the two-sided p is min(1, 2·min(lower, "
        "upper)). For the one-sided p, k counts the draws whose accuracy differs from that of all "
        "images at least as much as the subset’s, in the same direction. Because the data chooses "
        "the direction, it rejects too often.",
    ),
    (
        "Fits",
        "Least squares of the new on the original accuracy over the models, on fractions "
        "and on probits, with percentiles of {resamples:,} bootstrap resamples of "
        "the models; resamples whose models share one original accuracy are dropped and "
        "counted. Lines are shown, with intervals, for at least {fewest} models. On the probit "
        "scale an accuracy of 0 or 1 enters as (k + ½)/(n + 1), and is listed in report.json."
        " Humans are not part of any fit.",
    ),
    (
        "Human aggregates",
        "The majority vote is the label that most humans gave, for at least three humans; a "
        "tie is no answer and counts as wrong. Mean and median are over the humans’ "
        "accuracies.",
    ),
    (
        "Agreement and error consistency",
        "Percent agreement, Cohen’s kappa as the mean over pairs, Fleiss’ kappa and "
        "Krippendorff’s alpha for nominal values, over the units that at least two raters "
        "judged; for reviewers, from their blind verdicts. Error consistency is the kappa of being"
        " right or wrong on the same images.",
    ),
    (
        "Consistency with oneself",
        "Some images of the evaluation, and some labels of a review, are asked twice of the same "
        "person, far apart and unmarked. The first answer counts in every other number. The "
        "consistency is the share of equal answers; the halves are by the time of the second one.",
    ),
    (
        "Active time",
        "Time on the image, search, taxonomy, references and guide counts; pauses, idle time "
        "beyond the study’s threshold and time in other applications does not. All visits to an "
        "image are summed.",
    ),
    (
        "Randomness",
        "All random draws use the seed {seed}: the same study gives the same report.",
    ),
)


def methods_paragraphs(contents: ReportContents) -> list[Paragraph]:
    """Return titles and texts, in the order of the tables."""
    settings = contents.numbers.settings
    values = {
        "class_resamples": CLASS_RESAMPLES,
        "fast_seconds": settings.fast_seconds,
        "trials": settings.trials,
        "resamples": settings.resamples,
        "fewest": MIN_POINTS_FOR_INTERVAL,
        "seed": settings.seed,
    }
    return [(title, text.format(**values)) for title, text in _PARAGRAPHS]
