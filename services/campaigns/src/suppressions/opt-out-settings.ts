import type { GetOptOutSettings, OptOutSettings, UpdateOptOutSettings } from '@messaging-gateway/contracts';
import type { EventStore, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { InputOf, ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { askedBy } from '../metadata.ts';
import { byForm, wordForm } from './words.ts';

export type Settings = Static<typeof OptOutSettings>;
type Given = Partial<Settings>;
type Changed = { type: 'OptOutSettingsChanged'; data: { readonly settings: Given } };

/** Fields that an organization has set; sealed with its key. */
export const optOutSettingsStream: StreamType<Given, Given, Changed> = {
  name: 'opt-out-settings',
  decider: {
    initial: {},
    decide: (given, kept) => {
      const settings = { ...kept, ...given };
      return JSON.stringify(settings) === JSON.stringify(kept)
        ? []
        : [{ type: 'OptOutSettingsChanged', data: { settings } }];
    },
    // Erased, it is a text.
    evolve: (_, { data: { settings } }) => (typeof settings === 'object' ? settings : {}),
  },
  events: { OptOutSettingsChanged: { version: 1, personal: ['settings'] } },
};

const usual: Settings = {
  words: ['STOP', 'UNSUBSCRIBE', 'BERHENTI', 'PARAR', 'BAJA'],
  resumeWords: ['START'],
  confirmation: null,
  resumeConfirmation: null,
};

type Tools = Pick<ServiceTools<unknown>, 'store'>;

export async function getOptOutSettings(
  { store }: Tools,
  { caller }: Pick<InputOf<typeof GetOptOutSettings>, 'caller'>,
): Promise<Settings> {
  return { ...usual, ...(await store.load(optOutSettingsStream, caller.organizationId)).state };
}

export async function updateOptOutSettings(
  tools: Tools & { readonly words: OptOutWords },
  input: InputOf<typeof UpdateOptOutSettings>,
): Promise<Settings> {
  const { organizationId } = input.caller;
  const next = { ...(await getOptOutSettings(tools, input)), ...input.body };
  assertWords(next, input.body);
  const { state } = await tools.store.handle(optOutSettingsStream, organizationId, input.body, {
    metadata: askedBy(input),
    onAppended: input.context.appended,
  });
  tools.words.forget(organizationId);
  return { ...usual, ...state };
}

/** @throws Refused VALIDATION_ERROR for a word without a letter, and one that would mean both */
function assertWords({ words, resumeWords }: Settings, given: Given): void {
  const empty = (list: readonly string[]): boolean => list.some((word) => wordForm(word) === '');
  if (empty(given.words ?? [])) throw wrong('words', 'must hold words with a letter or a digit');
  if (empty(given.resumeWords ?? [])) throw wrong('resumeWords', 'must hold words with a letter or a digit');
  const leaving = byForm(words);
  if (resumeWords.some((word) => leaving.has(wordForm(word))))
    throw wrong(given.resumeWords === undefined ? 'words' : 'resumeWords', 'must hold none of the other words');
}

const wrong = (field: keyof Settings, message: string): Refused =>
  new Refused('VALIDATION_ERROR', `body.${field} ${message}.`, [{ path: `body.${field}`, message }]);

/** Words of an organization as they are looked up, and what is answered to them. */
export interface KnownWords {
  readonly leave: ReadonlyMap<string, string>;
  readonly resume: ReadonlyMap<string, string>;
  readonly confirmation: string | null;
  readonly resumeConfirmation: string | null;
}

const remembered = 10_000;
/** By then what another replica changed is known here, milliseconds. */
const rememberedForMs = 5000;

/** Words of each organization, remembered for some seconds. */
export class OptOutWords {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly words: Promise<KnownWords>; readonly until: number }>();

  constructor({ store, clock }: Pick<ServiceTools<unknown>, 'store' | 'clock'>) {
    this.#store = store;
    this.#clock = clock;
  }

  async of(organizationId: string): Promise<KnownWords> {
    const known = this.#known.get(organizationId);
    const now = this.#clock.now();
    if (known !== undefined && now < known.until) return known.words;
    if (this.#known.size >= remembered) this.#known.clear();
    const words = this.#read(organizationId);
    words.catch(() => this.#known.delete(organizationId));
    this.#known.set(organizationId, { words, until: now + rememberedForMs });
    return words;
  }

  forget(organizationId: string): void {
    this.#known.delete(organizationId);
  }

  async #read(organizationId: string): Promise<KnownWords> {
    const caller = { organizationId, userId: '', permissions: [] };
    const settings = await getOptOutSettings({ store: this.#store }, { caller });
    const { words, resumeWords, confirmation, resumeConfirmation } = settings;
    return { leave: byForm(words), resume: byForm(resumeWords), confirmation, resumeConfirmation };
  }
}
