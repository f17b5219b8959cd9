//! The command of a generator, with a seed and sizes that differ from round to round.

use crate::bench::RandomSource;
use crate::braces::{Doubled, TemplatePart, parts};

/// After this many rounds, sizes are drawn from the whole range.
pub(super) const GROWTH: u64 = 120;

/// Why a text is not the command of a generator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ArgumentsError {
    #[error("the command is empty")]
    Empty,
    #[error("unknown field `{{{0}}}`")]
    UnknownField(String),
    #[error("the braces of `{0}` do not match")]
    Braces(String),
    #[error("the range of `{{{0}}}` is empty")]
    EmptyRange(String),
}

/// A range of whole numbers, with the name by which other words repeat the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberRange {
    name: String,
    least: i64,
    most: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WordPart {
    Text(String),
    Seed,
    /// The number from the range with this index.
    Number(usize),
}

/// The command of a generator: its source, and arguments with fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GeneratorTemplate {
    /// The first word: a source file.
    pub(crate) program: String,
    pub(super) words: Vec<Vec<WordPart>>,
    pub(super) ranges: Vec<NumberRange>,
    pub(super) has_seed: bool,
    /// Nobody wrote the arguments.
    pub(super) is_guess: bool,
    /// The numbers of the commands that it stands for, if they are varied.
    originals: Vec<Vec<i64>>,
}

/// The values of the fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GeneratorValues {
    seed: u64,
    numbers: Vec<i64>,
}

impl GeneratorValues {
    pub(super) fn new(seed: u64, numbers: Vec<i64>) -> Self {
        Self { seed, numbers }
    }
}

impl GeneratorTemplate {
    /// A command without arguments.
    pub(super) fn of_program(program: &str) -> Self {
        Self {
            program: program.to_owned(),
            words: Vec::new(),
            ranges: Vec::new(),
            has_seed: false,
            is_guess: false,
            originals: Vec::new(),
        }
    }

    /// Adds the numbers of a command, which are varied.
    pub(super) fn add_original(&mut self, numbers: Vec<i64>) {
        for (range, number) in self.ranges.iter_mut().zip(&numbers) {
            range.least = range.least.min(*number);
            range.most = range.most.max(*number);
        }
        self.originals.push(numbers);
    }

    /// Whether nobody wrote these numbers, so that the generator may refuse them.
    pub(super) fn is_varied(&self) -> bool {
        !self.originals.is_empty()
    }

    /// Reads a command such as `gen.py {n:1..50} {seed}`. Words are separated by whitespace only.
    pub(crate) fn parse(text: &str) -> Result<Self, ArgumentsError> {
        let mut split = text.split_whitespace();
        let mut template = Self::of_program(split.next().ok_or(ArgumentsError::Empty)?);
        for word in split {
            let parts: Result<Vec<WordPart>, ArgumentsError> = parts(word, Doubled::Escapes)
                .map(|part| match part {
                    TemplatePart::Text(text) => Ok(WordPart::Text(text.to_owned())),
                    TemplatePart::Field(field) => template.field(field),
                    TemplatePart::Unclosed(_) | TemplatePart::Unopened => {
                        Err(ArgumentsError::Braces(word.to_owned()))
                    }
                })
                .collect();
            template.words.push(parts?);
        }
        Ok(template)
    }

    fn field(&mut self, field: &str) -> Result<WordPart, ArgumentsError> {
        let unknown = || ArgumentsError::UnknownField(field.to_owned());
        if field == "seed" {
            self.has_seed = true;
            return Ok(WordPart::Seed);
        }
        if let Some(known) = self.ranges.iter().position(|range| range.name == field) {
            return Ok(WordPart::Number(known));
        }
        let (name, range) = field.split_once(':').unwrap_or(("", field));
        let (least, most) = range.split_once("..").ok_or_else(unknown)?;
        let (least, most) = (least.trim().parse(), most.trim().parse());
        let (Ok(least), Ok(most)) = (least, most) else {
            return Err(unknown());
        };
        if least > most {
            return Err(ArgumentsError::EmptyRange(field.to_owned()));
        }
        self.ranges.push(NumberRange { name: name.trim().to_owned(), least, most });
        Ok(WordPart::Number(self.ranges.len() - 1))
    }

    /// Whether every run gives the same output.
    pub(crate) fn is_constant(&self) -> bool {
        !self.has_seed && self.ranges.iter().all(|range| range.least == range.most)
    }

    /// Whether there are numbers besides the seed, which may be the last number.
    pub(super) fn has_sizes(&self) -> bool {
        let may_be_seed = self.is_varied() && !self.has_seed;
        let numbers = self.ranges.iter().filter(|range| range.least < range.most);
        numbers.count() > usize::from(may_be_seed)
    }

    /// The values of a round: the sizes grow from the smallest to any in the range, and stay small mostly.
    #[expect(clippy::cast_precision_loss, reason = "a size needs no precision")]
    pub(crate) fn draw(&self, round: u64, random: &mut RandomSource) -> GeneratorValues {
        let growth =
            if round <= GROWTH { round as f64 / GROWTH as f64 } else { random.fraction().powi(2) };
        let numbers = if self.is_varied() {
            self.draw_varied(growth, random)
        } else {
            let ranges = self.ranges.iter();
            ranges.map(|range| range.draw(growth, random)).collect()
        };
        GeneratorValues { seed: random.next() >> 33, numbers }
    }

    /// Large values: each number from the upper part of its range, or the numbers of one of the commands, whose author
    /// knew which of them fit together.
    pub(super) fn draw_large(&self, random: &mut RandomSource) -> GeneratorValues {
        let numbers = if self.is_varied() && random.coin() {
            self.draw_original(random)
        } else {
            let ranges = self.ranges.iter();
            let numbers = ranges.map(|range| range.draw(1.0 - random.fraction().powi(3), random));
            numbers.collect()
        };
        GeneratorValues { seed: random.next() >> 33, numbers }
    }

    /// These values with another seed, or with one number doubled, halved or drawn again.
    pub(super) fn changed(
        &self,
        values: &GeneratorValues,
        random: &mut RandomSource,
    ) -> GeneratorValues {
        let mut changed = values.clone();
        changed.seed = random.next() >> 33;
        let index = usize::try_from(random.below(self.ranges.len() as u64)).unwrap_or(0);
        if let Some((range, number)) = self.ranges.get(index).zip(changed.numbers.get_mut(index)) {
            *number = match random.below(4) {
                0 => number.saturating_mul(2).clamp(range.least, range.most),
                1 => (*number / 2).clamp(range.least, range.most),
                2 => range.most,
                _ => range.draw(1.0, random),
            };
        }
        changed
    }

    /// The numbers of one of the commands. The last number of a command without a seed may be one.
    fn draw_original(&self, random: &mut RandomSource) -> Vec<i64> {
        let index = random.below(self.originals.len() as u64);
        let mut numbers = self.originals[usize::try_from(index).unwrap_or(0)].clone();
        let ends_with_seed = !self.has_seed && random.coin();
        if let Some(last) = numbers.last_mut().filter(|_| ends_with_seed) {
            *last = i64::try_from(random.below(SEEDS)).unwrap_or(0);
        }
        numbers
    }

    /// The numbers of one of the commands, and mostly smaller ones. The last number of a command without a seed may be
    /// one.
    fn draw_varied(&self, growth: f64, random: &mut RandomSource) -> Vec<i64> {
        let index = random.below(self.originals.len() as u64);
        let original = &self.originals[usize::try_from(index).unwrap_or(0)];
        let keeps_sizes = random.below(4) == 0;
        let numbers = original.iter().enumerate().map(|(index, number)| {
            let may_be_seed = index + 1 == original.len() && !self.has_seed;
            if may_be_seed && (keeps_sizes || random.coin()) {
                i64::try_from(random.below(SEEDS)).unwrap_or(0)
            } else if keeps_sizes || random.below(3) == 0 {
                *number
            } else {
                NumberRange::up_to(*number).draw(growth, random)
            }
        });
        numbers.collect()
    }

    /// The arguments with these values.
    pub(crate) fn fill(&self, values: &GeneratorValues) -> Vec<String> {
        let part = |part: &WordPart| match part {
            WordPart::Text(text) => text.clone(),
            WordPart::Seed => values.seed.to_string(),
            WordPart::Number(index) => values.numbers[*index].to_string(),
        };
        let words = self.words.iter();
        words.map(|word| word.iter().map(part).collect()).collect()
    }

    /// The command line with these values.
    pub(crate) fn command(&self, values: &GeneratorValues) -> String {
        let mut words = vec![self.program.clone()];
        words.extend(self.fill(values));
        words.join(" ")
    }

    /// Smaller values than these, the smallest first: each number lowered, with the same seed and with others.
    pub(crate) fn smaller(&self, values: &GeneratorValues) -> Vec<GeneratorValues> {
        let mut all = Vec::new();
        let with = |index: usize, number: i64, seed: u64| {
            let mut numbers = values.numbers.clone();
            numbers[index] = number;
            GeneratorValues { seed, numbers }
        };
        let seeds = if self.has_seed { OTHER_SEEDS } else { 0 };
        for (index, range) in self.ranges.iter().enumerate() {
            for number in range.below(values.numbers[index]) {
                all.push(with(index, number, values.seed));
                all.extend((1..=seeds).map(|seed| with(index, number, seed)));
            }
        }
        all
    }
}

/// The largest number that is tried as a seed in a command without `{seed}`.
const SEEDS: u64 = 1_000_000;

/// The number of other seeds to try with a smaller size.
const OTHER_SEEDS: u64 = 8;

impl NumberRange {
    /// From one, or from zero, up to a number.
    pub(super) fn up_to(number: i64) -> Self {
        Self { name: String::new(), least: number.min(1), most: number }
    }

    /// The smallest number: zero, or the end that is closest to it.
    fn origin(&self) -> i64 {
        0_i64.clamp(self.least, self.most)
    }

    /// A number whose distance from the smallest one is at most the range to the power of `growth`.
    fn draw(&self, growth: f64, random: &mut RandomSource) -> i64 {
        let width = self.most.abs_diff(self.least);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "a size needs no precision, a float to an integer saturates, and the power is at least 1"
        )]
        let reach = ((width as f64 + 1.0).powf(growth) as u64).saturating_sub(1).min(width);
        let origin = self.origin();
        let step = i64::try_from(reach).unwrap_or(i64::MAX);
        let least = origin.saturating_sub(step).max(self.least);
        let most = origin.saturating_add(step).min(self.most);
        let among = most.abs_diff(least).saturating_add(1);
        let offset = i64::try_from(random.below(among)).unwrap_or(0);
        least.saturating_add(offset)
    }

    /// Numbers closer to the smallest one than `number`, from there on, with growing steps.
    fn below(&self, number: i64) -> Vec<i64> {
        let origin = self.origin();
        let distance = number.abs_diff(origin);
        let sign = if number < origin { -1 } else { 1 };
        let mut steps: Vec<u64> = (0..distance.min(6)).collect();
        let halves = std::iter::successors(Some(distance / 2), |step| Some(step / 2));
        let larger: Vec<u64> = halves.take_while(|step| *step >= 6).collect();
        steps.extend(larger.into_iter().rev());
        let steps = steps.into_iter().filter_map(|step| i64::try_from(step).ok());
        steps.map(|step| origin + sign * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, round: u64) -> String {
        let template = GeneratorTemplate::parse(text).unwrap();
        let values = template.draw(round, &mut RandomSource::new(round));
        template.command(&values)
    }

    #[test]
    fn sizes_begin_at_the_smallest_and_grow_into_the_whole_range() {
        assert!(drawn("gen.py {n:3..50} {seed}", 1).starts_with("gen.py 3 "));
        assert_eq!(drawn("gen.py {x:-9..9} x={x}", 1), "gen.py 0 x=0");
        let template = GeneratorTemplate::parse("g {n:1..1000}").unwrap();
        let number = |round| template.draw(round, &mut RandomSource::new(round)).numbers[0];
        assert!((1..20).all(|round| number(round) < 10));
        let late: Vec<i64> = (1000..2000).map(number).collect();
        assert!(late.iter().all(|number| (1..=1000).contains(number)));
        assert!(late.iter().any(|number| *number > 500));
        assert!(late.iter().filter(|number| **number < 100).count() > 600);
    }

    #[test]
    fn large_values_keep_what_fits_together_in_a_command() {
        let mut template = GeneratorTemplate::parse("g {1..1} {1..1} {seed}").unwrap();
        template.add_original(vec![3, 900]);
        template.add_original(vec![700, 2]);
        let drawn = |round| template.draw_large(&mut RandomSource::new(round)).numbers;
        let all: Vec<Vec<i64>> = (0..100).map(drawn).collect();
        assert!(all.contains(&vec![3, 900]) && all.contains(&vec![700, 2]));
        assert!(all.iter().any(|one| one[0] > 300 && one[1] > 300));
    }

    #[test]
    fn a_name_repeats_its_number() {
        let command = drawn("gen.cpp {n:7..7} --again={n} {{n}} {1..1}", 5);
        assert_eq!(command, "gen.cpp 7 --again=7 {n} 1");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            (" ", "the command is empty"),
            ("g {n}", "unknown field `{n}`"),
            ("g {n:1-5}", "unknown field `{n:1-5}`"),
            ("g {n:5..1}", "the range of `{n:5..1}` is empty"),
            ("g {n:1..5", "the braces of `{n:1..5` do not match"),
            ("g n}", "the braces of `n}` do not match"),
        ] {
            let error = GeneratorTemplate::parse(text).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn without_seed_and_range_every_round_is_the_same() {
        let is_constant = |text| GeneratorTemplate::parse(text).unwrap().is_constant();
        assert!(is_constant("gen.py 5 {3..3}"));
        assert!(!is_constant("gen.py {seed}"));
        assert!(!is_constant("gen.py {1..2}"));
    }
}
