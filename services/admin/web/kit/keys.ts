import { useEffect, useEffectEvent } from 'react';

/** Whether keys pressed there are meant as text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/**
 * Acts on a key. Plain keys count outside of fields and dialogs only; with `command` it is Ctrl or Cmd with the key, everywhere.
 */
export function useKey(key: string, act: () => void, { command = false } = {}): void {
  const acted = useEffectEvent(act);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      if (event.key.toLowerCase() !== key.toLowerCase() || isCommand !== command) return;
      if (!command && (isTyping(event.target) || document.querySelector('dialog[open]') !== null)) return;
      event.preventDefault();
      acted();
    };
    addEventListener('keydown', pressed, true);
    return () => removeEventListener('keydown', pressed, true);
  }, [key, command]);
}
