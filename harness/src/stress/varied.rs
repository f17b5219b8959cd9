//! Generators from the commands of a package: their numbers are varied, because the setter chose only some.

use std::collections::BTreeMap;

use super::arguments::{GeneratorTemplate, NumberRange, WordPart};
use crate::braces::{Doubled, TemplatePart, parts};

/// Templates for commands as `generators.yaml` has them. Commands that differ only in numbers share one.
pub(crate) fn varied<'a>(commands: impl Iterator<Item = &'a str>) -> Vec<GeneratorTemplate> {
    let mut templates: Vec<GeneratorTemplate> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for command in commands {
        let Some((template, numbers)) = read(command) else {
            continue;
        };
        let shape = format!("{} {:?}", template.program, template.words);
        let index = *known.entry(shape).or_insert(templates.len());
        if index == templates.len() {
            templates.push(template);
        }
        templates[index].add_original(numbers);
    }
    templates.retain(|template| !template.is_constant());
    templates
}

/// The template of a command, and its numbers.
fn read(command: &str) -> Option<(GeneratorTemplate, Vec<i64>)> {
    let mut words = command.split_whitespace();
    let mut template = GeneratorTemplate::of_program(words.next()?);
    let mut numbers = Vec::new();
    for word in words {
        let number = word.parse().ok().filter(|number: &i64| *number >= 0);
        if let Some(number) = number {
            numbers.push(number);
            let range = NumberRange::up_to(number);
            template.words.push(vec![WordPart::Number(template.ranges.len())]);
            template.ranges.push(range);
            continue;
        }
        let parts = parts(word, Doubled::Counts).map(|part| match part {
            TemplatePart::Text(text) => WordPart::Text(text.to_owned()),
            TemplatePart::Field("name") => WordPart::Text("stress".to_owned()),
            _ => WordPart::Seed,
        });
        let parts: Vec<WordPart> = parts.collect();
        template.has_seed |= parts.contains(&WordPart::Seed);
        template.words.push(parts);
    }
    Some((template, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::RandomSource;

    #[test]
    fn commands_that_differ_in_numbers_share_a_template() {
        let commands = [
            "tree.rs full 40 {seed}",
            "tree.rs full 9000 {seed:2}",
            "tree.rs left 7 {seed}",
            "board.rs AB/CD A",
            "random.rs 4 4 77",
        ];
        let templates = varied(commands.into_iter());
        let programs: Vec<&str> = templates.iter().map(|one| one.program.as_str()).collect();
        assert_eq!(programs, ["tree.rs", "tree.rs", "random.rs"]);
        let drawn = |index: usize, round| {
            let template: &GeneratorTemplate = &templates[index];
            let values = template.draw(round, &mut RandomSource::new(round));
            template.fill(&values)
        };
        let sizes: Vec<i64> = (1..400).map(|round| drawn(0, round)[1].parse().unwrap()).collect();
        assert!(sizes.iter().all(|size| (0..=9000).contains(size)));
        assert!(sizes.contains(&9000) && sizes.iter().filter(|size| **size < 40).count() > 100);
        // The last number of a command without a seed may be one.
        let last = |round| drawn(2, round)[2].parse::<i64>().unwrap();
        assert!((1..100).any(|round| last(round) > 1000));
    }
}
