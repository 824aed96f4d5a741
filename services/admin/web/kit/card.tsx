import { useId, type ReactNode } from 'react';

interface Given {
  readonly title: string;
  /** Beside the heading: what can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page with its heading. */
export function Card(given: Given) {
  return <Part {...given} look="card" />;
}

/** The same around what has a frame of its own, such as a table. */
export function Section(given: Given) {
  return <Part {...given} look="" />;
}

function Part({ title, actions, children, look }: Given & { readonly look: string }) {
  const id = useId();
  return (
    <section className={`${look} grid grid-cols-[minmax(0,1fr)] gap-3`} aria-labelledby={id}>
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
