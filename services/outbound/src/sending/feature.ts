import {
  AcceptMessage,
  DeleteForEveryone,
  SendAudio,
  SendContact,
  SendDocument,
  SendImage,
  SendLocation,
  SendPoll,
  SendReaction,
  SendReply,
  SendTemplate,
  SendText,
  SendVideo,
  SetTyping,
} from '@messaging-gateway/contracts';
import { givenMedia } from '@messaging-gateway/media';
import { feature, internalOperation, operation, type ServiceTools } from '@messaging-gateway/service';
import { targetsFrom } from '../composing/targets.ts';
import type { OutboundSettings } from '../config.ts';
import { sendGate } from '../gate/feature.ts';
import { lanes } from '../lanes/feature.ts';
import { voiceNotes } from '../voice-notes/feature.ts';
import { acceptance } from './acceptance.ts';
import { composer, sendRoutes } from './drafts.ts';
import { Sending } from './sending.ts';
import { sendTemplate } from './send-template.ts';
import { openProfile } from './profile-access.ts';
import { setTyping } from './typing.ts';
import { UnattendedSending } from './unattended.ts';

/** Sends: from the request to the answer, of every type. */
export const sending = feature({
  name: 'sending',
  needs: { gate: sendGate, lanes, voiceNotes },
  connect: (
    tools: ServiceTools<OutboundSettings>,
    { gate, voiceNotes: voiceNote, lanes: { answerPassed, metrics, ...stood } },
  ) => {
    const { settings, store, clock, ask, media } = tools;
    const targets = targetsFrom({ ask, clock });
    const compose = composer({
      targets,
      sources: givenMedia({ media, allowPrivate: settings.allowPrivateTargets }),
      voiceNote,
      assertOpen: (profileId, caller) => openProfile(gate.records, profileId, caller),
    });
    const mode = settings.durableSend ? 'durable' : 'synchronous';
    const limited = (): void => metrics.limited();
    const sends = new Sending({ ...stood, ...gate, mode, clock, store, ask, limited });
    answerPassed((send, context) => sends.passed(send, context));
    const send = sendRoutes({ compose, targets, sending: sends, clock });
    const unattended = new UnattendedSending({ ...stood, sending: sends, ask });
    return {
      api: { sending: sends, compose, unattended },
      rows: [
        internalOperation(AcceptMessage, acceptance({ store, lanes: gate.records, compose, unattended })),
        operation(SendText, send.message('text')),
        operation(SendImage, send.message('image')),
        operation(SendVideo, send.message('video')),
        operation(SendAudio, send.message('audio')),
        operation(SendDocument, send.message('document')),
        operation(SendLocation, send.message('location')),
        operation(SendContact, send.message('contact')),
        operation(SendPoll, send.message('poll')),
        operation(SendTemplate, sendTemplate({ ask, compose, sending: sends })),
        operation(SendReply, send.reply),
        operation(SendReaction, send.reaction),
        operation(DeleteForEveryone, send.deletion),
        operation(SetTyping, setTyping(tools)),
      ],
    };
  },
});
