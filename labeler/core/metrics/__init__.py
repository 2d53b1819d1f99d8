"""From a study's answers, as arrays, to the numbers of its report."""
