import { useId, useRef, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { upload } from '../api/upload.ts';
import { TextField } from '../kit/fields.tsx';
import { ProblemAlert } from '../kit/problem-alert.tsx';
import { useTexts } from '../language/language.tsx';
import { useMay } from '../session/me.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly name: string;
  readonly value: string;
  readonly onValue: (url: string) => void;
  readonly onFile?: (file: File) => unknown;
}

/** Where the bytes of a medium come from: a URL, or a file, which is uploaded at once and then has one. */
export function MediaField({ name, value, onValue, onFile }: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const id = useId();
  const [part, setPart] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const running = useRef<AbortController>(undefined);
  const take = async (file: File) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setProblem(undefined);
    setPart(0);
    try {
      const { url } = await upload(file, { onProgress: setPart, signal: stop.signal });
      if (stop.signal.aborted) return;
      onValue(url);
      onFile?.(file);
      setPart(undefined);
    } catch (error) {
      if (stop.signal.aborted) return;
      setPart(undefined);
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
    }
  };
  return (
    <>
      <TextField
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        dir="ltr"
        name={name}
        value={value}
        onValue={onValue}
      />
      {may('message:send') && (
        <div className="grid gap-1">
          <label htmlFor={id} className="font-medium">
            {t('file')}
          </label>
          <input
            id={id}
            type="file"
            className="input"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void take(file);
            }}
          />
          {part !== undefined && (
            <progress aria-label={t('uploading')} className="h-2 w-full accent-accent" max={1} value={part} />
          )}
        </div>
      )}
      {problem && <ProblemAlert problem={problem} />}
    </>
  );
}
