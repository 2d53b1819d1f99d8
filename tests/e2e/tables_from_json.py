"""What every table of a report must say, worked out from its report.json alone."""

from collections.abc import Callable
from typing import Any

from labeler.report.gap_tables import alternative_title
from tests.e2e.printed_numbers import (
    NONE,
    ends,
    minus,
    p_text,
    percent,
    signed,
    signed_span,
    spanned,
)

Report = dict[str, Any]
Rows = list[list[str]]
TITLES = {
    "top1": "Top-1",
    "top5": "Top-5",
    "multi_label": "Multi-label",
    "multi_label_imputed": "Multi-label, hatches imputed",
}


class FromJson:
    """The rows of tables, in any order; `expected` has a function for the key of each."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.names = [row["dataset"] for row in report["datasets"]]
        self.main = report["all_wrong"]["metric"]
        self.humans = [r["participant"] for r in report["participants"] if r["kind"] == "human"]
        keys = ("participant", "dataset", "subset", "metric")
        self.accuracy = {tuple(r[k] for k in keys): r for r in report["accuracy"]}
        self.subsets = {r["subset"]: r for r in report["subsets"]}
        self.together = {tuple(r[k] for k in keys): r for r in report["humans_together"]}

    def shown(self, keys: list[str], besides: tuple[str, ...] = ()) -> list[str]:
        """The subsets with images of their own: neither empty nor the same as an earlier one."""
        seen, shown = {self._images_of(key) for key in besides}, []
        for key in keys:
            images = self._images_of(key)
            if any(self.subsets[key]["images"].values()) and images not in seen:
                shown.append(key)
            seen.add(images)
        return shown

    def _images_of(self, key: str) -> str:
        return str(self.subsets[key]["same_images_as"] or key)

    def expected(self, key: str) -> Rows:
        makers: dict[str, Callable[[], Rows]] = {
            "datasets": self.datasets,
            "models": self.models,
            "escape-hatches": self.hatches,
            "earlier-exposure": self.exposures,
            "confidence": self.confidence,
            "unjudged": self.unjudged,
            "conventions": self.conventions,
            "metric-differences": self.differences,
            "class-resampling": self.resampling,
            "fits": self.fits,
            "times": self.times,
            "agreement": self.agreement,
            "error-consistency": self.consistency,
            "label-changes": self.changes,
            "models-all-images": self.all_images,
            "coverage": self.coverage,
            "gap-groups": self.gap_groups,
            "gaps": self.gaps,
            "gap-differences": self.gap_differences,
            "sensitivity": self.sensitivity,
            "confidence-steps": self.confidence_steps,
            "reliability": self.reliability,
            "built-difficulty": self.difficulty,
        }
        if key in makers:
            return _without_empty_columns(makers[key]())
        name, _, rest = key.partition("-")
        if name == "accuracy":
            return _without_empty_columns(self.compared(rest.replace("-", "_")))
        number = int(rest) - 1
        rows = self.mcnemar(number) if name == "mcnemar" else self.superclasses(number)
        return _without_empty_columns(rows)

    def difficulty(self) -> Rows:
        return [
            [
                r["dataset_original"],
                r["dataset_new"],
                *("undefined" if r[c] is None else f"{r[c]:.3f}" for c in parts),
            ]
            for parts in [("u", "v", "sigma_new", "mu_new")]
            for r in self.report["crowd"]["difficulty_models"]
        ]

    def datasets(self) -> Rows:
        counts = ("images", "base", "evaluated", "problematic", "without_correct_label")
        counts += ("unjudged", "multi_label_images")
        return [
            [
                r["dataset"],
                *(f"{r[c]:,}" for c in counts),
                minus(r["mean_labels_of_multi_label_images"], 2),
            ]
            for r in self.report["datasets"]
        ]

    def unjudged(self) -> Rows:
        counts = ("predictions", "alternatives")
        return [
            [r["participant"], r["dataset"], *(f"{r[c]:,}" for c in counts)]
            for r in self.report["unjudged"]
        ]

    def differences(self) -> Rows:
        return [
            [r["dataset"], TITLES[r["against"]], str(r["models"]), signed(r["median_difference"])]
            for r in self.report["metric_differences"]
        ]

    def changes(self) -> Rows:
        words = {
            "unchanged": "The same labels are correct",
            "added": "All are that were, and more",
            "modified": "A label that was correct no longer is",
        }
        report = self.report["review_changes"]
        return [[key.capitalize(), text, f"{report[key]:,}"] for key, text in words.items()]

    def compared(self, metric: str) -> Rows:
        gaps = {
            r["participant"]: signed_span(r)
            for r in self.report["gap_intervals"]
            if (r["subset"], r["metric"]) == ("all", metric)
        }
        rows = []
        for source, named in ((self.accuracy, str), (self.together, str.capitalize)):
            for code in dict.fromkeys(k[0] for k in source if k[2:] == ("all", metric)):
                found = [source.get((code, name, "all", metric)) for name in self.names]
                gap = gaps.get(code, NONE)
                if source is self.together and None not in found:
                    gap = signed(found[0]["accuracy"] - found[1]["accuracy"])
                rows.append([named(code), *map(spanned, found), gap])
        return rows

    def holm(
        self,
        family: str,
        participant: str,
        against: str = "",
        *,
        dataset: str = "",
        subset: str = "all",
        metric: str | None = None,
    ) -> str:
        wanted = [family, participant, against, dataset, subset, metric or self.main]
        keys = ("family", "participant", "against", "dataset", "subset", "metric")
        found = [r for r in self.report["adjusted_tests"] if [r[k] for k in keys] == wanted]
        return p_text(found[0]["p_value_holm"]) if found else NONE

    def gap_groups(self) -> Rows:
        """Without the subset's title."""
        titles = {
            "humans": "Mean of the humans",
            "models": "Mean of the models",
            "humans_minus_models": "Humans minus models",
        }
        rows = self.report["gap_groups"]
        shown = self.shown(list(dict.fromkeys(r["subset"] for r in rows)))
        counts = {
            "humans": "{humans}",
            "models": "{models}",
            "humans_minus_models": "{humans} and {models}",
        }
        return [
            [
                TITLES[r["metric"]],
                titles[r["group"]],
                counts[r["group"]].format(**r),
                signed_span(r),
                p_text(r["p_value"]),
                self.holm("gap_groups", r["group"], subset=r["subset"], metric=r["metric"]),
                NONE if r["p_value_participants"] is None else p_text(r["p_value_participants"]),
            ]
            for r in rows
            if r["metric"] in (self.main, "top1") and r["subset"] in shown
        ]

    def gaps(self) -> Rows:
        return [
            [
                r["participant"],
                r["kind"],
                signed_span(r),
                percent(r["standard_error"]),
                p_text(r["p_value"]),
                self.holm("gaps", r["participant"]),
            ]
            for r in self.report["gap_intervals"]
            if (r["metric"], r["subset"]) == (self.main, "all")
        ]

    def gap_differences(self) -> Rows:
        return [
            [
                r["human"],
                r["model"],
                signed_span(r, "difference"),
                p_text(r["p_value"]),
                self.holm("gap_differences", r["human"], r["model"]),
            ]
            for r in self.report["gap_differences"]
            if r["metric"] == self.main
        ]

    def sensitivity(self) -> Rows:
        kept = ("images_original", "images_new", "humans", "models", "difference")
        main, *others = self.report["sensitivity"]
        changed = [r for r in others if [r[k] for k in kept] != [main[k] for k in kept]]
        return [
            [
                alternative_title(r["alternative"]),
                f"{r['images_original']:,}",
                f"{r['images_new']:,}",
                *(signed_span(r[group]) for group in kept[2:]),
                NONE if r["difference"] is None else p_text(r["difference"]["p_value"]),
            ]
            for r in (main, *changed)
        ]

    def confidence_steps(self) -> Rows:
        return [
            [
                r["dataset"],
                TITLES[r["metric"]],
                str(r["confidence"]),
                NONE if r["assigned_probability"] is None else percent(r["assigned_probability"]),
                str(r["people"]),
                f"{r['total']:,}",
                spanned(r),
            ]
            for r in self.report["confidence_steps"]
        ]

    def reliability(self) -> Rows:
        return [
            [
                r["participant"],
                r["dataset"],
                f"{r['above']:.1f} to {r['up_to']:.1f}",
                f"{r['total']:,}",
                percent(r["mean_probability"]),
                spanned(r),
            ]
            for r in self.report["reliability"]
            if r["metric"] == self.main
        ]

    def superclasses(self, number: int) -> Rows:
        name = self.names[number]
        keys = [s for s in self.report["settings"]["subsets"] if s.startswith("superclass:")]
        codes = [r["participant"] for r in self.report["participants"]]
        cell = {
            (code, key): row
            for code in codes
            for key in keys
            if (row := self.accuracy.get((code, name, key, self.main)))
        }
        used = [key for key in keys if any((code, key) in cell for code in codes)]
        report = {
            pair: f"{percent(row['accuracy'])} ({row['total']:,})"
            if row["total"] >= 10
            else f"{row['correct']} of {row['total']}"
            for pair, row in cell.items()
        }
        rows = [[code, *(report.get((code, key), NONE) for key in used)] for code in codes]
        return [row for row in rows if set(row[1:]) != {NONE}]

    def models(self) -> Rows:
        return [
            [
                r["participant"],
                str(r["rank_original"]),
                str(r["rank_new"]),
                f"{r['rank_change']:+d}".replace("-", "−") if r["rank_change"] else "0",
                percent(r["original"]),
                percent(r["new"]),
                signed(r["gap"]),
            ]
            for r in self.report["gaps"]
            if (r["kind"], r["subset"], r["metric"]) == ("model", "all", self.main)
        ]

    def hatches(self) -> Rows:
        shares = ("accuracy", "accuracy_imputed")
        return [
            [r["participant"], r["dataset"], str(r["used"]), *(percent(r[s]) for s in shares)]
            for r in self.report["escape_hatch"]
        ]

    def exposures(self) -> Rows:
        return [
            [
                r["participant"],
                r["dataset"],
                TITLES[r["metric"]],
                "yes" if r["seen_before"] else "no",
                f"{r['total']:,}",
                spanned(r),
            ]
            for r in self.report["accuracy_by_exposure"]
        ]

    def confidence(self) -> Rows:
        return [
            [
                r["participant"],
                r["dataset"],
                TITLES[r["metric"]],
                str(r["confidence"]),
                f"{r['total']:,}",
                spanned(r),
            ]
            for r in self.report["confidence"]
        ]

    def conventions(self) -> Rows:
        other = {
            (r["participant"], r["dataset"], r["convention"]): r
            for r in self.report["accuracy_other"]
            if (r["subset"], r["metric"]) == ("all", self.main)
        }
        rows = []
        for (code, name, subset, metric), own in self.accuracy.items():
            if (subset, metric) == ("all", self.main):
                ways = ("unclear_counts", "per_class", "per_class_unclear_counts")
                found = [other.get((code, name, way)) for way in ways]
                shares = [row["accuracy"] for row in found if row]
                if any(abs(share - own["accuracy"]) > 1e-12 for share in shares):
                    rows.append([code, name, spanned(own), *map(spanned, found)])
        return rows

    def mcnemar(self, number: int) -> Rows:
        columns = ("only_a_correct", "only_b_correct")
        return [
            [
                r["a"],
                r["b"],
                f"{r['images']:,}",
                *(str(r[c]) for c in columns),
                p_text(r["p_value"]),
                self.holm("mcnemar_best_model", r["a"], r["b"], dataset=r["dataset"]),
            ]
            for r in self.report["mcnemar"]
            if (r["dataset"], r["metric"], r["subset"]) == (self.names[number], self.main, "all")
            and r["a"] in self.humans
        ]

    def resampling(self) -> Rows:
        """Without the subset's title."""
        keys = [k for k in self.subsets if not k.startswith("superclass:")]
        shown = self.shown(keys, besides=("all",))
        return [
            [
                r["participant"],
                r["dataset"],
                str(r["classes"]),
                signed(r["change"]),
                p_text(r["p_value_two_sided"]),
                self.holm(
                    "class_resampling",
                    r["participant"],
                    dataset=r["dataset"],
                    subset=r["subset"],
                ),
                f"{r['trials_at_least_as_large']:,}",
                f"{r['trials']:,}",
                p_text(r["p_value"]),
            ]
            for r in self.report["class_resampling"]
            if r["metric"] == self.main
            and r["participant"] in (*self.humans, "mean of the humans")
            and r["subset"] in shown
        ]

    def fits(self) -> Rows:
        """Without the subset's title."""
        shown = self.shown([k for k in self.subsets if not k.startswith("superclass:")])
        return [
            [
                TITLES[f["metric"]],
                f["scale"],
                str(f["models"]),
                minus(f["slope"]),
                ends(f["slope_ci"]),
                minus(f["intercept"]),
                ends(f["intercept_ci"]),
                minus(f["r"]),
                minus(f["r_squared"]),
                minus(f["slope_standard_error"]),
                minus(f["residual_standard_error"]),
                str(f["degenerate_resamples"]),
            ]
            for f in self.report["fits"]
            if f["models"] >= 5 and f["subset"] in shown
        ]

    def times(self) -> Rows:
        return [
            [
                r["participant"],
                f"{r['trials']:,}",
                f"{r['median_active_seconds']:.1f}",
                f"{r['total_active_hours']:.2f}",
            ]
            for r in self.report["timing"]["per_participant"]
        ]

    def agreement(self) -> Rows:
        kappas = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
        return [
            [who.capitalize(), f"{r['raters']:,}", f"{r['units']:,}"]
            + [NONE if r["percent"] is None else percent(r["percent"])]
            + [minus(r[kappa]) for kappa in kappas]
            for who, r in self.report["agreement"].items()
            if r["units"]
        ]

    def consistency(self) -> Rows:
        return [
            [
                r["human"],
                r["model"],
                r["dataset"],
                f"{r['images']:,}",
                percent(r["observed"]),
                percent(r["expected"]),
                minus(r["kappa"]),
            ]
            for r in self.report["error_consistency"]
            if r["metric"] == self.main
        ]

    def all_images(self) -> Rows:
        parts = ("participant", "dataset", "subset", "metric", "total")
        evaluated = {tuple(r[part] for part in parts) for r in self.report["accuracy"]}
        return [
            [r["participant"], r["dataset"], TITLES[r["metric"]], f"{r['total']:,}", spanned(r)]
            for r in self.report["accuracy_all_images"]
            if r["subset"] == "all" and tuple(r[part] for part in parts) not in evaluated
        ]

    def coverage(self) -> Rows:
        """Everyone with images left out, and the others of each dataset in one row."""
        all_rows = self.report["coverage"]
        made = []
        for dataset in dict.fromkeys(r["dataset"] for r in all_rows):
            rows = [r for r in all_rows if r["dataset"] == dataset]
            full = [r for r in rows if r["answered"] == r["evaluated"]]
            listed = rows if len(full) < 2 else [r for r in rows if r not in full]
            made += [
                [r["participant"], dataset, f"{r['answered']:,}", f"{r['evaluated']:,}"]
                for r in listed
            ]
            if len(full) > 1:
                evaluated = f"{full[0]['evaluated']:,}"
                name = "Everyone else" if listed else "Everyone"
                made.append([name, dataset, evaluated, evaluated])
        return made


def _without_empty_columns(rows: Rows) -> Rows:
    kept = [n for n in range(len(rows[0])) if any(row[n] not in ("", NONE) for row in rows)]
    return [[row[n] for n in kept] for row in rows]
