//! What a sentence wants.

/// The intent of a sentence, in the order of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Deserialize), serde(rename_all = "snake_case"))]
pub(super) enum Intent {
    Greeting,
    HowAreYou,
    Thanks,
    Goodbye,
    Goodnight,
    AsksPermission,
    AsksName,
    /// The speaker's name.
    AsksSpeakerName,
    AsksIntroduction,
    AsksAge,
    AsksHome,
    AsksWork,
    AsksPastimes,
    AsksPride,
    AsksChildhood,
    AsksAi,
    /// What the persona knows about the speaker.
    AsksKnowledge,
    /// Whether and how long messages are stored.
    AsksKeeping,
    /// Allows sensitive details to be remembered.
    GivesConsent,
    AsksForgetOne,
    AsksForgetAll,
    /// What other people said.
    AsksOthers,
    /// Begs for what was refused.
    Insists,
    AsksAbilities,
    /// Wants something done that it can't do.
    AsksAction,
    OrderToRemember,
    Statement,
    QuestionAboutSpeaker,
    QuestionAboutPersona,
    QuestionAboutWorld,
    /// A short question that refers to what was said before.
    QuestionFollowUp,
}

impl Intent {
    pub(super) const ALL: [Self; 31] = [
        Self::Greeting,
        Self::HowAreYou,
        Self::Thanks,
        Self::Goodbye,
        Self::Goodnight,
        Self::AsksPermission,
        Self::AsksName,
        Self::AsksSpeakerName,
        Self::AsksIntroduction,
        Self::AsksAge,
        Self::AsksHome,
        Self::AsksWork,
        Self::AsksPastimes,
        Self::AsksPride,
        Self::AsksChildhood,
        Self::AsksAi,
        Self::AsksKnowledge,
        Self::AsksKeeping,
        Self::GivesConsent,
        Self::AsksForgetOne,
        Self::AsksForgetAll,
        Self::AsksOthers,
        Self::Insists,
        Self::AsksAbilities,
        Self::AsksAction,
        Self::OrderToRemember,
        Self::Statement,
        Self::QuestionAboutSpeaker,
        Self::QuestionAboutPersona,
        Self::QuestionAboutWorld,
        Self::QuestionFollowUp,
    ];

    /// Whether it is about the persona itself.
    pub(super) const fn is_about_persona(self) -> bool {
        matches!(
            self,
            Self::AsksIntroduction
                | Self::AsksAge
                | Self::AsksHome
                | Self::AsksWork
                | Self::AsksPastimes
                | Self::AsksPride
                | Self::AsksChildhood
                | Self::AsksAbilities
        )
    }

    /// Whether it is a greeting or the like, which asks for no knowledge.
    pub(super) const fn is_courtesy(self) -> bool {
        matches!(self, Self::Greeting | Self::HowAreYou | Self::Thanks | Self::Goodbye | Self::Goodnight)
    }

    /// Whether it asks for something.
    pub(super) const fn asks(self) -> bool {
        !matches!(
            self,
            Self::Greeting
                | Self::Thanks
                | Self::Goodbye
                | Self::Goodnight
                | Self::GivesConsent
                | Self::Insists
                | Self::OrderToRemember
                | Self::Statement
        )
    }

    /// Whether it asks about the speaker.
    pub(super) const fn asks_about_speaker(self) -> bool {
        matches!(self, Self::QuestionAboutSpeaker | Self::AsksSpeakerName | Self::AsksKnowledge)
    }

    /// Whether it asks about the persona.
    pub(super) const fn asks_about_persona(self) -> bool {
        self.is_about_persona() || matches!(self, Self::QuestionAboutPersona | Self::AsksName | Self::AsksAi)
    }
}
