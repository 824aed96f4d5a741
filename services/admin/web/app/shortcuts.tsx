import { Dialog } from '../kit/dialog.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Lists the keys. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const keys = [
    [isApple ? '⌘ K' : 'Ctrl K', t('keyGoTo')],
    ['?', t('keyShortcuts')],
    ['Esc', t('keyClose')],
    ['Enter', t('keySend')],
    ['Shift Enter', t('keyBreak')],
    ['↑ ↓', t('keyMove')],
  ];
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {keys.map(([key, words]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-md border border-edge bg-sunken px-2 py-0.5 font-mono text-xs">{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
