import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { invalid, quotaReached, Refused } from '@messaging-gateway/messaging';

/** The state of a contact: what is kept of a person. */
export interface ContactState {
  readonly profileId?: string | undefined;
  /** Digits. */
  readonly phone?: string | undefined;
  /** `<id>@lid`. */
  readonly lid?: string | undefined;
  readonly name?: string | undefined;
  readonly pushName?: string | undefined;
  /** The name by which the phone had saved the person when it was last asked. */
  readonly phoneName?: string | undefined;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly blocked: boolean;
}

type Saved = ContactState & {
  readonly contactId: string;
  readonly change: 'created' | 'updated';
  /** Brought by history: told to nobody. */
  readonly silent: boolean;
  /** See `Contact`. Saved with the contact, as an earlier version keeps what it does not know of one. */
  readonly firstHeard?: string;
  /** Digits. The contact had this number until now. */
  readonly previousPhone?: string;
};

export type ContactEvent =
  | { type: 'ContactSaved'; data: Saved }
  | {
      type: 'ContactDeleted';
      data: {
        readonly contactId: string;
        readonly profileId?: string | undefined;
        /** The contact as which the person goes on. */
        readonly mergedInto?: string;
        /** Names of the person who is forgotten: services that keep them elsewhere forget them too. */
        readonly phone?: string | undefined;
        readonly lid?: string | undefined;
      };
    };

/** Fields that a change may give; absent ones stay as they are. */
interface Given {
  readonly name?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly blocked?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface Identity {
  readonly contactId: string;
  readonly profileId?: string | undefined;
  readonly phone?: string | undefined;
  readonly lid?: string | undefined;
}

export type ContactCommand =
  /** Made, or changed when it is there; tags are added. `full`: of so many that there are, none may be added. */
  | { type: 'Save'; identity: Identity; given: Given; full?: number | undefined }
  /** Tags are replaced. */
  | { type: 'Change'; contactId: string; given: Given }
  | { type: 'AddTags'; contactId: string; tags: readonly string[] }
  | { type: 'RemoveTags'; contactId: string; tags: readonly string[] }
  /** Both at once; a tag in both is added. */
  | { type: 'ChangeTags'; contactId: string; add: readonly string[]; remove: readonly string[] }
  /** The person has written. History does not change a name that is known. `before`: known by LID only until now. */
  | {
      type: 'Meet';
      identity: Identity;
      pushName?: string | undefined;
      silent: boolean;
      before?: ContactState | undefined;
      /** Network id of what the person has written. Absent: it was written to the person. */
      hears?: string | undefined;
      /** Network id of the person's first message as known elsewhere: under the LID, or among those stored. */
      firstHeard?: string | undefined;
    }
  /** News of the network about the person. A name that was given here stays. */
  | {
      type: 'Learn';
      identity: Identity;
      name?: string | undefined;
      pushName?: string | undefined;
      before?: ContactState | undefined;
    }
  /**
   * The person has another number, or, without `phone`, none that is known. The contact keeps everything else. `before`: what was kept
   * under the new number.
   */
  | { type: 'Move'; contactId: string; phone?: string; lid?: string | undefined; before?: ContactState | undefined }
  /** `into`: the person goes on as that contact. */
  | { type: 'Delete'; contactId: string; into?: string };

export interface Contact {
  /** Absent: never made, or deleted. */
  readonly known?: ContactState;
  /**
   * Network id of the first message that the person ever wrote to the profile; `earlier` of one that wrote before this was noted.
   * It outlives the contact. Absent: none, or not known.
   */
  readonly firstHeard?: string;
  /** The contact was made and is deleted. */
  readonly wasThere?: true;
}

/** In the place of a first message that is not known by its id. */
export const heardEarlier = 'earlier';

const most = 100;
const blank: ContactState = { tags: [], metadata: {}, blocked: false };

function decide(command: ContactCommand, contact: Contact): readonly ContactEvent[] {
  const { known: state } = contact;
  switch (command.type) {
    case 'Save': {
      const { contactId, ...who } = command.identity;
      if (state === undefined && command.full !== undefined) throw quotaReached('contacts', command.full);
      const tags = joined(state?.tags ?? [], command.given.tags ?? []);
      return saved(contactId, state, { ...blank, ...who, ...state, ...changes({ ...command.given, tags }) });
    }
    case 'Change':
      return saved(command.contactId, state, { ...present(state), ...changes(command.given) });
    case 'AddTags':
      return saved(command.contactId, state, { ...present(state), tags: joined(present(state).tags, command.tags) });
    case 'RemoveTags': {
      const tags = present(state).tags.filter((tag) => !command.tags.includes(tag));
      return saved(command.contactId, state, { ...present(state), tags });
    }
    case 'ChangeTags': {
      const { contactId, add, remove } = command;
      const kept = present(state).tags.filter((tag) => !remove.includes(tag) || add.includes(tag));
      return saved(contactId, state, { ...present(state), tags: joined(kept, add, 'add') });
    }
    case 'Meet': {
      const { identity, pushName, silent, before } = command;
      const { contactId, ...who } = identity;
      const known = state === undefined ? { ...blank, ...before, ...who } : absorbed(state, before);
      const lid = who.lid ?? known.lid;
      const named = silent ? (known.pushName ?? pushName) : (pushName ?? known.pushName);
      const next = { ...known, lid, pushName: named };
      const firstHeard = contact.firstHeard ?? firstHeardBy(command, contact);
      if (firstHeard === contact.firstHeard) return saved(contactId, state, next, silent);
      const [event] = saved(contactId, state, next, silent);
      const data =
        event?.type === 'ContactSaved' ? event.data : { contactId, ...next, change: 'updated', silent: true };
      return [{ type: 'ContactSaved', data: { ...(data as Saved), ...(firstHeard !== undefined && { firstHeard }) } }];
    }
    case 'Learn': {
      const { contactId, ...who } = command.identity;
      const known = state === undefined ? { ...blank, ...command.before, ...who } : absorbed(state, command.before);
      const phoneName = command.name ?? known.phoneName;
      const name = known.name === undefined || known.name === known.phoneName ? phoneName : known.name;
      const pushName = command.pushName ?? known.pushName;
      return saved(contactId, state, { ...known, lid: who.lid ?? known.lid, name, pushName, phoneName });
    }
    case 'Move': {
      const { contactId, phone, before } = command;
      if (state?.phone === undefined || state.phone === phone) return [];
      const moved = { ...absorbed(state, before), phone, lid: command.lid ?? state.lid };
      const data = { contactId, ...moved, change: 'updated', silent: false, previousPhone: state.phone } as const;
      return [{ type: 'ContactSaved', data }];
    }
    case 'Delete': {
      if (state === undefined) return [];
      const { contactId, into } = command;
      const { profileId, phone, lid } = state;
      const who = into === undefined ? { phone, lid } : { mergedInto: into };
      return [{ type: 'ContactDeleted', data: { contactId, profileId, ...who } }];
    }
  }
}

/** Of a person of whom nothing was ever kept, what is written now is the first. */
function firstHeardBy(
  { hears, before, firstHeard }: Extract<ContactCommand, { type: 'Meet' }>,
  { known, wasThere }: Contact,
): string | undefined {
  const isStranger = known === undefined && wasThere === undefined && before === undefined;
  return firstHeard ?? (isStranger ? hears : undefined);
}

function evolve(state: Contact, event: ContactEvent): Contact {
  if (event.type === 'ContactDeleted') return { ...heardOf(state.firstHeard), wasThere: true };
  const { contactId: _id, change: _change, silent: _silent, firstHeard = state.firstHeard, ...kept } = event.data;
  const { previousPhone: _previous, ...known } = kept;
  return { known, ...heardOf(firstHeard) };
}

const heardOf = (firstHeard: string | undefined): Pick<Contact, 'firstHeard'> =>
  firstHeard === undefined ? {} : { firstHeard };

function saved(
  contactId: string,
  state: ContactState | undefined,
  next: ContactState,
  silent = false,
): readonly ContactEvent[] {
  if (state !== undefined && sameForm(state) === sameForm(next)) return [];
  return [
    { type: 'ContactSaved', data: { contactId, ...next, change: state === undefined ? 'created' : 'updated', silent } },
  ];
}

/** @throws Refused NOT_FOUND */
function present(state: ContactState | undefined): ContactState {
  if (state === undefined) throw new Refused('NOT_FOUND', 'There is no such contact.');
  return state;
}

function changes({ name, metadata, blocked, tags }: Given): Partial<ContactState> {
  return {
    ...(name !== undefined && { name: name === null || name === '' ? undefined : name }),
    ...(metadata !== undefined && { metadata }),
    ...(blocked !== undefined && { blocked }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
  };
}

/** @throws Refused VALIDATION_ERROR for more than a contact can have */
function joined(present: readonly string[], added: readonly string[], field = 'tags'): readonly string[] {
  const tags = [...new Set([...present, ...added])];
  if (tags.length > most && tags.length > present.length)
    throw invalid([{ path: `body.${field}`, message: `must leave the contact with at most ${most} tags` }]);
  return tags;
}

/** The state of a person known by LID goes on under the phone. */
const absorbed = (state: ContactState, before: ContactState | undefined): ContactState =>
  before === undefined
    ? state
    : {
        ...state,
        name: state.name ?? before.name,
        tags: [...new Set([...state.tags, ...before.tags])].slice(0, most),
        metadata: { ...before.metadata, ...state.metadata },
        blocked: state.blocked || before.blocked,
      };

/** Equal for equal contacts. */
const sameForm = ({
  profileId,
  phone,
  lid,
  name,
  pushName,
  phoneName,
  tags,
  metadata,
  blocked,
}: ContactState): string => JSON.stringify([profileId, phone, lid, name, pushName, phoneName, tags, metadata, blocked]);

/** One person as a profile, or the whole organization, knows them. */
export const contact: Decider<Contact, ContactCommand, ContactEvent> = { initial: {}, decide, evolve };

export const contactStream: StreamType<Contact, ContactCommand, ContactEvent> = {
  name: 'contact',
  decider: contact,
  events: {
    ContactSaved: {
      version: 1,
      personal: ['phone', 'lid', 'name', 'pushName', 'phoneName', 'tags', 'metadata', 'previousPhone'],
    },
    ContactDeleted: { version: 1, personal: ['phone', 'lid'] },
  },
};
