import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * What a page is filtered by, kept in its address: it can be sent to somebody, and is there again when one comes back.
 *
 * @param initial values that are left out of the address
 */
export function useInAddress<F extends Readonly<Record<string, string>>>(initial: F) {
  const asked: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [values, setValues] = useState<F>(() => valuesIn(asked, initial));
  const set = (name: keyof F, value: string) => {
    const next: F = { ...values, [name]: value };
    setValues(next);
    const search = Object.fromEntries(Object.entries(next).filter(([field, word]) => word !== initial[field]));
    void navigate({ to: pathname, search, replace: true, resetScroll: false });
  };
  return {
    values,
    bind: <K extends keyof F & string>(name: K) => ({
      name,
      value: values[name],
      onValue: (value: F[K]) => set(name, value),
    }),
  };
}

function valuesIn<F extends Readonly<Record<string, string>>>(asked: Readonly<Record<string, unknown>>, initial: F): F {
  const entries = Object.entries(initial).map(([name, value]) => {
    const given = asked[name];
    return [name, typeof given === 'string' || typeof given === 'number' ? String(given) : value];
  });
  return Object.fromEntries(entries) as F;
}
