//! The variables while a grammar runs. A plain variable is an array with one value, at no index.

use std::collections::HashMap;

use num_bigint::BigInt;

use super::value::GrammarValue;

/// Where a value is in an array.
pub(super) type Index = Vec<BigInt>;

#[derive(Debug, Default)]
pub(super) struct Array {
    values: HashMap<Index, GrammarValue>,
    /// How often each value occurs.
    counts: HashMap<GrammarValue, usize>,
    /// About the memory that all of it needs.
    bytes: u64,
}

/// About the memory of an entry of both maps, besides the numbers and the text in it.
const ENTRY: u64 = 300;

/// About the memory that an entry needs.
fn bytes(index: &Index, value: &GrammarValue) -> u64 {
    let index: u64 = index.iter().map(|number| 32 + number.bits() / 8).sum();
    ENTRY + index + 2 * value.bytes()
}

impl Array {
    pub(super) fn get(&self, index: &Index) -> Option<&GrammarValue> {
        self.values.get(index)
    }

    pub(super) fn set(&mut self, index: Index, value: GrammarValue) {
        *self.counts.entry(value.as_key()).or_default() += 1;
        self.bytes += bytes(&index, &value);
        let Some(old) = self.values.get(&index) else {
            self.values.insert(index, value);
            return;
        };
        self.bytes -= bytes(&index, old);
        let old = old.as_key();
        if let Some(count) = self.counts.get_mut(&old) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&old);
            }
        }
        self.values.insert(index, value);
    }

    pub(super) fn contains(&self, value: &GrammarValue) -> bool {
        self.counts.contains_key(&value.as_key())
    }

    /// About the memory that the array needs.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

/// Why the tuples of values at equal indices are not unique.
pub(super) enum Repeated {
    /// The arrays do not have the same indices.
    OtherIndices,
    /// Two indices, the smaller one first, have this tuple.
    Tuple([Index; 2], Vec<GrammarValue>),
}

/// Finds the first index, in the order of the indices, whose tuple of values is that of an earlier one.
pub(super) fn repeated(arrays: &[&Array]) -> Option<Repeated> {
    let first = arrays.first()?;
    let mut indices: Vec<&Index> = first.values.keys().collect();
    indices.sort();
    let mut seen: HashMap<Vec<GrammarValue>, &Index> = HashMap::new();
    if arrays.iter().any(|array| array.len() != first.len()) {
        return Some(Repeated::OtherIndices);
    }
    for index in indices {
        let tuple: Option<Vec<GrammarValue>> =
            arrays.iter().map(|array| Some(array.get(index)?.as_key())).collect();
        let Some(tuple) = tuple else {
            return Some(Repeated::OtherIndices);
        };
        if let Some(earlier) = seen.get(&tuple) {
            return Some(Repeated::Tuple([(*earlier).clone(), index.clone()], tuple));
        }
        seen.insert(tuple, index);
    }
    None
}

/// An index as it is shown in a message.
pub(super) fn shown(index: &Index) -> String {
    let numbers: Vec<String> = index.iter().map(BigInt::to_string).collect();
    format!("[{}]", numbers.join(","))
}
