import { catalogue } from '../language/catalogue.ts';

export const secretTexts = catalogue({
  secretKept: {
    en: 'Kept; empty: stays as it is.',
    id: 'Tersimpan; kosong: tetap.',
    ar: 'محفوظ؛ فارغ: يبقى كما هو.',
  },
  secretNone: { en: 'There is none.', id: 'Belum ada.', ar: 'لا يوجد.' },
  secretRemove: { en: 'Remove what is kept: {name}', id: 'Hapus yang tersimpan: {name}', ar: 'إزالة المحفوظ: {name}' },
  done: { en: 'Done', id: 'Selesai', ar: 'تم' },
});
