//! Holm's correction of p values for many simultaneous tests.

/// The corrected p value for each of `ps`, in the same order.
///
/// If every corrected p of at most α counts as a finding, the probability of *any* false finding is at most α, even if
/// the tests depend on one another (S. Holm, *A Simple Sequentially Rejective Multiple Test Procedure*, 1979).
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|a, b| ps[*a].total_cmp(&ps[*b]));
    let mut corrected = vec![1.0; ps.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let left = (ps.len() - rank) as f64;
        largest = largest.max((ps[index] * left).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_p_is_multiplied_by_the_number_of_remaining_tests() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
