import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../language/language.tsx';
import { Button, IconButton } from './button.tsx';
import { texts } from './texts.ts';

interface Said {
  readonly id: number;
  readonly text: string;
  readonly undo?: { readonly label: string; readonly act: () => void } | undefined;
}

type Say = (text: string, undo?: Said['undo']) => void;

const Saying = createContext<Say>(() => undefined);
const shownMs = 6_000;

/** Says that something was done, for some seconds, in a corner and to screen readers; perhaps with a way back. */
export const useSay = (): Say => use(Saying);

/** Keeps what was said last. */
export function SaysThings({ children }: { readonly children: ReactNode }) {
  const t = useTexts(texts);
  const [said, setSaid] = useState<readonly Said[]>([]);
  const last = useRef(0);
  const leave = useCallback((id: number) => setSaid((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback<Say>(
    (text, undo) => {
      last.current += 1;
      const id = last.current;
      setSaid((all) => [...all.slice(-2), { id, text, undo }]);
      setTimeout(() => leave(id), shownMs);
    },
    [leave],
  );
  return (
    <Saying value={say}>
      {children}
      <div className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2">
        {said.map(({ id, text, undo }) => (
          <div
            key={id}
            role="status"
            className="pointer-events-auto flex max-w-lg items-center gap-3 rounded-xl bg-ink py-1 ps-4 pe-1 text-page shadow-lg"
          >
            <span className="py-1.5">{text}</span>
            {undo && (
              <Button
                kind="quiet"
                className="text-inherit underline hover:text-ink"
                onClick={() => {
                  undo.act();
                  leave(id);
                }}
              >
                {undo.label}
              </Button>
            )}
            <IconButton
              icon="close"
              label={t('dismiss')}
              className="text-inherit hover:text-ink"
              onClick={() => leave(id)}
            />
          </div>
        ))}
      </div>
    </Saying>
  );
}
