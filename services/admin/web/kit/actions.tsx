import { useTexts } from '../language/language.tsx';
import { Menu, type MenuItem } from './menu.tsx';
import type { Column } from './table.tsx';
import { texts } from './texts.ts';

/** The last column of a table: the menu *Actions* of each row, with what the role may do. */
export function useActions<T>(items: (row: T) => readonly (MenuItem | false | undefined)[]): Column<T> {
  const t = useTexts(texts);
  return {
    heading: t('actions'),
    isHeadingHidden: true,
    className: 'w-12 text-end',
    cell: (row) => <Menu label={t('actions')} items={items(row)} />,
  };
}
