import { normalizePhone, type CreateSuppression, type DeleteSuppression } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { answer, type InputOf, type Reply } from '@messaging-gateway/service';
import { findSuppression, shown } from './listing.ts';
import { askedBy } from '../metadata.ts';
import { allNamesOf, entriesOf, suppress, type SuppressionTools } from './suppressing.ts';
import { suppressionStream } from './suppression.ts';

/** Puts a phone on the list; who is there already stays as they are. */
export async function createSuppression(
  tools: SuppressionTools,
  input: InputOf<typeof CreateSuppression>,
): Promise<Reply> {
  const { body, caller, context } = input;
  const { organizationId } = caller;
  const metadata = askedBy(input);
  const digests = await tools.keys.make(metadata);
  if (digests === undefined) throw new Refused('NOT_FOUND', 'There is no such organization.');
  const phone = normalizePhone(body.phone) as string;
  const [person = { phone }] = await allNamesOf(tools, organizationId, [{ phone }]);
  const names = digests.namesOf(person);
  const { id, isNew } = await suppress(tools, names, await entriesOf(tools.sql, organizationId, [names]), {
    reason: body.reason,
    options: { metadata, onAppended: context.appended },
  });
  return answer(isNew ? 201 : 200, shown(await findSuppression(context.em(), id)));
}

/** Takes a person off the list, by all names. @throws Refused NOT_FOUND */
export async function deleteSuppression(
  { sql, store }: SuppressionTools,
  input: InputOf<typeof DeleteSuppression>,
): Promise<void> {
  const { caller, context, params } = input;
  const { id, phoneDigest, lidDigest } = await findSuppression(context.em(), params.id);
  const names = { phoneDigest: phoneDigest ?? undefined, lidDigest: lidDigest ?? undefined };
  const options = { metadata: askedBy(input), onAppended: context.appended };
  const others = (await entriesOf(sql, caller.organizationId, [names])).filter((entry) => entry.id !== id);
  for (const suppressionId of [id, ...others.map((entry) => entry.id)])
    await store.handle(suppressionStream, suppressionId, { type: 'Lift', suppressionId }, options);
}
