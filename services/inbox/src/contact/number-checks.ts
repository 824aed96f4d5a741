import { createHash } from 'node:crypto';
import {
  CheckNumbers,
  parseRecipient,
  textFormats,
  type ValidateNumbers,
  type ValidateNumber,
} from '@messaging-gateway/contracts';
import { phoneHint } from '@messaging-gateway/phone-hints';
import { askHolder, type InputOf } from '@messaging-gateway/service';
import type { ContactTools } from './tools.ts';
import { requirePlace } from './changing.ts';

interface Checked {
  phone: string;
  valid: boolean;
  exists: boolean;
  jid: string | null;
  hint?: string;
}

type Asked = Omit<InputOf<typeof ValidateNumbers>, 'body'>;

/** Numbers of one question to the network. */
const together = 50;
const presentMs = 24 * 3_600_000;
/** Numbers that are not on the network are remembered so long: they may come any moment. */
const absentMs = 10 * 60_000;

export async function validateNumber(tools: ContactTools, input: InputOf<typeof ValidateNumber>): Promise<Checked> {
  const [checked] = await checkAll(tools, input, [input.params.phone]);
  return checked as Checked;
}

export async function validateNumbers(
  tools: ContactTools,
  input: InputOf<typeof ValidateNumbers>,
): Promise<{ items: Checked[] }> {
  return { items: await checkAll(tools, input, input.body.phones) };
}

async function checkAll(tools: ContactTools, input: Asked, given: readonly string[]): Promise<Checked[]> {
  const profileId = input.params.profileId;
  const status = await requirePlace(tools, input.caller, profileId);
  const phones = given.map((text) => parseRecipient(text)?.phone);
  const wanted = [...new Set(phones.filter((phone) => phone !== undefined))];
  const jids = await jidsOf(tools, input, { profileId, status }, wanted);
  return Promise.all(
    given.map(async (text, index) => {
      const phone = phones[index];
      const jid = phone === undefined ? null : (jids.get(phone) ?? null);
      const hint = jid === null ? await hintTo(phone) : undefined;
      return { phone: phone ?? text, valid: phone !== undefined, exists: jid !== null, jid, ...(hint && { hint }) };
    }),
  );
}

/** The likely fault of a phone that is not on the network. @param phone undefined for a text that is no phone */
const hintTo = async (phone: string | undefined): Promise<string | undefined> =>
  phone === undefined ? `It ${textFormats.phone.form}.` : phoneHint(phone);

/** JIDs of those phones that are on the network: what is remembered, and what the network says of the others. */
async function jidsOf(
  tools: ContactTools,
  { context, caller }: Pick<Asked, 'context' | 'caller'>,
  { profileId, status }: { readonly profileId: string; readonly status: string | undefined },
  phones: readonly string[],
): Promise<Map<string, string>> {
  const { cache } = tools;
  const { organizationId } = caller;
  const jids = new Map<string, string>();
  const remembered = await cache.getMany(phones.map((phone) => keyOf(profileId, phone)));
  phones.forEach((phone, index) => remembered[index] && jids.set(phone, remembered[index]));
  const unknown = phones.filter((_, index) => remembered[index] === undefined);
  for (let from = 0; from < unknown.length; from += together) {
    const some = unknown.slice(from, from + together);
    const { requestId, traceparent, deadline } = context;
    const options = { status, requestId, traceparent, deadline };
    const { known } = await askHolder(tools, CheckNumbers, { organizationId, profileId, phones: some }, options);
    for (const { phone, jid } of known) jids.set(phone, jid);
    await Promise.all(some.map((phone) => remember(phone)));
  }
  return jids;

  async function remember(phone: string): Promise<void> {
    const jid = jids.get(phone);
    await cache
      .set(keyOf(profileId, phone), jid ?? '', jid === undefined ? absentMs : presentMs)
      .catch(() => undefined);
  }
}

/**
 * No phone stands in a cache that others may read. Entries under `inbox:number:` are of an earlier version, which took numbers with
 * the same ending for one.
 */
const keyOf = (profileId: string, phone: string): string =>
  `inbox:address:${createHash('sha256').update(`${profileId} ${phone}`).digest('base64url')}`;
