import { useId, useRef } from 'react';
import { useTexts } from '../language/language.tsx';
import { Button } from './button.tsx';
import { useSay } from './say.tsx';
import { texts } from './texts.ts';

/** Puts a text on the clipboard; on plain HTTP, where scripts have none, by the old way. */
async function copy(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (clipboard !== undefined) return clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function CopyButton({ text }: { readonly text: string }) {
  const t = useTexts(texts);
  const say = useSay();
  return (
    <Button icon="copy" onClick={() => void copy(text).then(() => say(t('copied')))}>
      {t('copy')}
    </Button>
  );
}

/** A text that is shown once, to be copied: a key, a secret, a temporary password. */
export function CopyField({
  label,
  value,
  hint,
}: {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          ref={input}
          id={id}
          className="input font-mono"
          readOnly
          value={value}
          onFocus={() => input.current?.select()}
        />
        <CopyButton text={value} />
      </div>
      {hint !== undefined && <p className="text-muted">{hint}</p>}
    </div>
  );
}
