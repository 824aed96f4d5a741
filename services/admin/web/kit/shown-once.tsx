import { useTexts } from '../language/language.tsx';
import { Button } from './button.tsx';
import { CopyField } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { secretTexts } from './secret-texts.ts';

interface Given {
  /** That of the dialog that asked for it. */
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly onClose: () => void;
}

/** A secret that was just made: shown this once, in the place of the dialog that asked for it. */
export function ShownOnce({ title, label, value, hint, onClose }: Given) {
  const t = useTexts(secretTexts);
  return (
    <Dialog title={title} onClose={onClose}>
      <CopyField label={label} value={value} hint={hint} />
      <Button kind="primary" className="justify-self-end" onClick={onClose}>
        {t('done')}
      </Button>
    </Dialog>
  );
}
