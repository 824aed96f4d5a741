/** An agent's message, as it is kept until it has been handed over. */
export interface AgentAnswer {
  readonly text: string;
  readonly attachments: readonly { readonly kind: string; readonly url: string }[];
  /** Chatwoot's id of the message that the agent answers. */
  readonly inReplyTo?: number;
}

/** A message of ours that an answer becomes. */
interface Part {
  readonly type: 'text' | 'image' | 'video' | 'audio' | 'document';
  readonly content: Record<string, unknown>;
}

const types: Readonly<Record<string, 'image' | 'video' | 'audio'>> = { image: 'image', video: 'video', audio: 'audio' };

/** A message for each file, the text as the caption of the first that takes one. */
export function partsOf({ text, attachments }: AgentAnswer): Part[] {
  const words = text.trim() === '' ? undefined : text;
  const files: Part[] = attachments.map(({ kind, url }) => {
    const type = types[kind] ?? 'document';
    return { type, content: type === 'document' ? { url, filename: nameIn(url) } : { url } };
  });
  if (words === undefined) return files;
  const [first, ...others] = files;
  if (first === undefined || first.type === 'audio') return [{ type: 'text', content: { text: words } }, ...files];
  return [{ ...first, content: { ...first.content, caption: words } }, ...others];
}

function nameIn(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : undefined;
  try {
    return decodeURIComponent(last ?? '') || 'file';
  } catch {
    return 'file';
  }
}
