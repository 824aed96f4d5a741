/** Numbers with their names, side by side. */
export function Totals({ of }: { readonly of: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {of.map(([name, value]) => (
        <div key={name} className="card grid content-between gap-1">
          <dt className="text-muted">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
