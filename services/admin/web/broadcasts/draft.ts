import type { AnswerOf, RequestOf } from '../api/operations.ts';
import { numberIn, wordsIn } from '../kit/typed.ts';

type Broadcast = AnswerOf<'GetBroadcast'>;

/** Fields of a draft. `kept` and `contacts`: what no field shows stays as it is. */
export interface BroadcastDraft {
  readonly name: string;
  readonly from: 'text' | 'template' | 'kept';
  readonly text: string;
  readonly templateId: string;
  readonly who: 'all' | 'tags' | 'contacts';
  readonly tags: string;
  readonly delayMin: string;
  readonly delayMax: string;
  /** HH:MM; both empty: never quiet. */
  readonly quietFrom: string;
  readonly quietTo: string;
}

export const emptyDraft: BroadcastDraft = {
  name: '',
  from: 'text',
  text: '',
  templateId: '',
  who: 'all',
  tags: '',
  delayMin: '3000',
  delayMax: '10000',
  quietFrom: '',
  quietTo: '',
};

/** The fields of one that is there. */
export function draftOf({ name, message, recipients, settings, quietHours }: Broadcast): BroadcastDraft {
  const isPlain = message.type === 'text' && message.text !== undefined && message.link === undefined;
  const isTemplate = message.templateId !== undefined && message.variables === undefined && message.link === undefined;
  return {
    name,
    from: isPlain ? 'text' : isTemplate ? 'template' : 'kept',
    text: message.text ?? '',
    templateId: message.templateId ?? '',
    who: recipients.type,
    tags: recipients.type === 'tags' ? recipients.value.join(', ') : '',
    delayMin: String(settings.delayMin),
    delayMax: String(settings.delayMax),
    quietFrom: quietHours?.from ?? '',
    quietTo: quietHours?.to ?? '',
  };
}

/** The request for a new one. */
export function createRequest(profileId: string, draft: BroadcastDraft): RequestOf<'CreateBroadcast'> {
  const { name, settings, quietHours } = always(draft, undefined);
  const recipients = peopleOf(draft) ?? { type: 'all' };
  const message = messageOf(draft) ?? { type: 'text', text: '' };
  return { body: { profileId, name, message, recipients, settings, ...(quietHours !== null && { quietHours }) } };
}

/** The request that changes one. */
export function updateRequest(before: Broadcast, draft: BroadcastDraft): RequestOf<'UpdateBroadcast'> {
  const message = messageOf(draft);
  const recipients = peopleOf(draft);
  return {
    params: { id: before.id },
    body: { ...always(draft, before), ...(message && { message }), ...(recipients && { recipients }) },
  };
}

function always({ name, delayMin, delayMax, quietFrom, quietTo }: BroadcastDraft, before: Broadcast | undefined) {
  const timezone = before?.quietHours?.timezone ?? 'recipient';
  return {
    name,
    settings: { delayMin: numberIn(delayMin), delayMax: numberIn(delayMax) },
    quietHours: quietFrom === '' && quietTo === '' ? null : { from: quietFrom, to: quietTo, timezone },
  };
}

function messageOf({
  from,
  text,
  templateId,
}: BroadcastDraft): RequestOf<'CreateBroadcast'>['body']['message'] | undefined {
  if (from === 'kept') return undefined;
  return from === 'template' ? { templateId } : { type: 'text', text };
}

function peopleOf({ who, tags }: BroadcastDraft): RequestOf<'CreateBroadcast'>['body']['recipients'] | undefined {
  if (who === 'contacts') return undefined;
  return who === 'all' ? { type: 'all' } : { type: 'tags', value: wordsIn(tags) };
}
