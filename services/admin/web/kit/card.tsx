import { useId, type ReactNode } from 'react';

interface Given {
  readonly title: string;
  /** Beside the heading: what can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page with its heading. */
export function Card({ title, actions, children }: Given) {
  const id = useId();
  return (
    <section className="card grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby={id}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
