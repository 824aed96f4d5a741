import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** Whether work that the button started is under way: it stays where it is and does nothing more. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

type Given = ButtonHTMLAttributes<HTMLButtonElement> & Look;

/** A button with its words. It is `type="button"` unless told otherwise. */
export function Button({ kind = 'plain', icon, busy = false, className = '', children, onClick, ...given }: Given) {
  return (
    <button
      type="button"
      {...given}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`button ${kind === 'plain' ? '' : `button-${kind}`} ${className}`}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows a drawing only; `label` is its name, also as a tooltip. */
export function IconButton({
  label,
  className = '',
  kind = 'quiet',
  ...given
}: Given & { readonly label: string; readonly icon: IconName }) {
  return <Button {...given} kind={kind} aria-label={label} title={label} className={`button-icon ${className}`} />;
}

/** Opens the dialog by which something new is made. */
export function AddButton({ label, onAdd }: { readonly label: string; readonly onAdd: () => void }) {
  return (
    <Button kind="primary" icon="plus" onClick={onAdd}>
      {label}
    </Button>
  );
}
