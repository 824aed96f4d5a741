import type { Calls } from './calls.ts';
import { Nonsense } from './chatting.ts';
import type { Providers } from './providers.ts';
import { notConfigured } from './refusals.ts';

/**
 * The meaning of texts as vectors: one for each text, in their order, all of one length. Tokens of embeddings are not
 * counted.
 *
 * @param texts at most 256
 * @throws Refused AI_PROVIDER_FAILED; SERVICE_UNAVAILABLE without a provider or a place
 */
export async function embed(
  { providers, calls }: { readonly providers: Providers; readonly calls: Calls },
  { organizationId, signal }: { readonly organizationId: string; readonly signal?: AbortSignal | undefined },
  texts: readonly string[],
  model: string,
): Promise<readonly (readonly number[])[]> {
  const provider = await providers.ofEmbeddings(organizationId);
  if (provider === undefined) throw notConfigured();
  return calls.ask(provider, { organizationId, signal }, async (client, ended) => {
    const answer = await client.embeddings.create(
      { model, input: [...texts], encoding_format: 'base64' },
      { signal: ended },
    );
    const given = answer.data?.map(({ embedding }) => vectorOf(embedding)) ?? [];
    const [first] = given;
    const isWhole =
      given.length === texts.length && given.every(({ length }) => length > 0 && length === first?.length);
    if (!isWhole) throw new Nonsense('not one for each text');
    return given;
  });
}

/** A vector from base64, or from numbers, as providers answer that know no base64. */
function vectorOf(given: unknown): number[] {
  if (typeof given === 'string') {
    const bytes = Buffer.from(given, 'base64');
    return Array.from({ length: Math.floor(bytes.length / 4) }, (_, place) => bytes.readFloatLE(place * 4));
  }
  const numbers: readonly unknown[] = Array.isArray(given) ? given : [];
  return numbers.every((one) => typeof one === 'number') ? (numbers as number[]) : [];
}
