//! Judges requests of programs: a source with its cases, as one JSON line, and an answer as another.
//!
//! Each request gets exactly one answer, in any order. What cannot be judged, because of a fault in the request or of this
//! machine, is answered as not judged and never with a verdict on the source. Requests and answers are types: the schemas
//! are made from them.

#[cfg(feature = "nats")]
mod alone;
mod answer;
mod answering;
mod case_files;
mod extract;
mod inline;
mod judging;
mod languages;
mod lines;
mod loaded;
mod outputs;
mod pool;
mod prepared;
mod program;
mod request;
#[cfg(feature = "serve")]
mod run_code;
mod same_results;
mod slots;
mod text;
mod window;

#[cfg(any(feature = "serve", feature = "nats"))]
pub(crate) use answer::{BatchAnswer, FaultOf};
pub(crate) use judging::{BatchTools, LocalJudge};
pub(crate) use languages::language_called;
#[cfg(feature = "serve")]
pub(crate) use lines::BatchLine;
pub(crate) use lines::read_lines;
#[cfg(feature = "serve")]
pub(crate) use pool::BatchFigures;
pub(crate) use pool::{BatchPool, BatchReply, QueuedRequest, RequestJudge, RequestNumbers};
#[cfg(feature = "serve")]
pub(crate) use run_code::RunCodeRequest;
#[cfg(feature = "nats")]
pub(crate) use {judging::BatchShared, pool::AskedRequest};

#[cfg(test)]
mod tests {
    use crate::show::schema;

    #[test]
    fn the_schemas_are_those_of_the_types() {
        schema::is_of_input_up_to_date::<super::request::BatchRequest>("batch");
        let answer = schema::of_line::<super::answer::BatchAnswer>();
        schema::is_of_output_up_to_date("batch", vec![answer]);
    }
}
