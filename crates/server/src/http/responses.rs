//! OpenAI's responses API: the same conversations as chat completions, in the newer format.

mod answer;
mod input;
mod name;
mod script;

use engine::Record;
use engine::converse::{History, Utterance};
use wire::Problem;
use wire::responses::CreateResponse;
use wire::verb::{self, Verb};

use super::completions::envelope::{Envelope, NamedInBody};
use super::completions::request::{CompletionRequest, Model, Piece};
use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, Stream, VerbContext};
use super::speech::{conversation_headers, read_out};
use answer::ResponseInProgress;
use name::AnswerName;
use script::ResponseScript;

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[verb_handler!(verb::CreateResponse, |context| create(context))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(verb::CreateResponse::NAME, RepeatPolicy::ByVerb)];

async fn create(context: VerbContext<verb::CreateResponse>) -> HandlerResult {
    let request: CreateResponse = context.body()?;
    let in_pieces = request.stream == Some(true);
    let envelope = Envelope { headers: &context.headers, call: &context.call, engine: &context.engine };
    let (persona, said) = read(&request, &envelope).await?;
    let place = in_pieces.then(|| context.stream_permit(Stream::Answer)).transpose()?;
    let (record, since) = (said.record, said.since.clone());
    let conversation = context.engine.converse(&context.call, &persona, said).await?;
    let fresh = context.engine.fresh_id(context.call.now)?;
    let name = AnswerName::new(fresh, &conversation);
    let answering = ResponseInProgress {
        name,
        persona: conversation.persona,
        engine: context.engine.clone(),
        call: context.call.clone(),
        request,
        record,
        since,
    };
    let escalation = conversation.escalation.as_ref().map(|_| "1".to_owned());
    let headers = conversation_headers(&conversation);
    let with_escalation = |answer: Answer| headers(answer).with_header("x-escalation", escalation);
    if let Some(place) = place {
        return Ok(with_escalation(Answer::stream(
            place,
            read_out(conversation, ResponseScript::new(answering)),
        )));
    }
    let reply = conversation.whole().await?;
    context.answer(&answering.complete(&reply)).map(with_escalation)
}

/// Reads a request and its headers. A previous response that it continues is looked up first, if the speaker
/// may see it.
async fn read(
    request: &CreateResponse,
    envelope: &Envelope<'_>,
) -> Result<(engine::PersonaKey, Utterance), Problem> {
    let model = Model::parse(&request.model, envelope.call)?;
    let conversation = request.conversation.as_ref();
    let conversation = conversation.and_then(|named| named.as_str().or_else(|| named.get("id")?.as_str()));
    let metadata = request.metadata.as_ref();
    let named = NamedInBody {
        speakers: [request.safety_identifier.as_deref(), request.user.as_deref()],
        session: conversation.or_else(|| metadata?.get("session_id")?.as_str()),
    };
    let resolving =
        input::AnswerLookup { envelope, persona: &model.persona, subject: envelope.subject(&named).await? };
    let before = match &request.previous_response_id {
        Some(id) => Some(resolving.previous(id).await?),
        None => None,
    };
    let own = resolving.pieces(&request.input).await?;
    let continues_record =
        before.as_ref().is_some_and(|before| before.is_latest) && input::is_only_talk(&own);
    let session = before.as_ref().map(|before| before.session.clone());
    let mut pieces: Vec<Piece> = Vec::new();
    pieces.extend(request.instructions.iter().map(|words| Piece::Instruction(words.as_str().to_owned())));
    pieces.extend(before.into_iter().flat_map(|before| before.pieces).map(Piece::Said));
    pieces.extend(own);
    input::check_calls(&pieces)?;
    let asked = CompletionRequest {
        model,
        pieces,
        reply_settings: input::reply_settings(request)?,
        named,
        field: "/input",
    };
    let (persona, mut said) = asked.into_utterance(envelope).await?;
    said.session = session.or(said.session);
    if continues_record {
        said.history = History::Recorded;
    }
    if request.store == Some(false) {
        said.record = Record::Off;
    }
    Ok((persona, said))
}
