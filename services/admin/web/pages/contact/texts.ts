import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  above: { en: 'Contacts', id: 'Kontak', ar: 'جهات الاتصال' },
  details: { en: 'Details', id: 'Rincian', ar: 'التفاصيل' },
  previousPhone: { en: 'Previous phone', id: 'Telepon sebelumnya', ar: 'الهاتف السابق' },
  pushName: { en: 'Name on WhatsApp', id: 'Nama di WhatsApp', ar: 'الاسم على واتساب' },
  created: { en: 'Created', id: 'Dibuat', ar: 'أُنشئ' },
  lastMessage: { en: 'Last message', id: 'Pesan terakhir', ar: 'آخر رسالة' },
  more: { en: 'More about it', id: 'Keterangan lain', ar: 'معلومات أخرى' },
  addTags: { en: 'Add tags', id: 'Tambah tag', ar: 'إضافة وسوم' },
  add: { en: 'Add', id: 'Tambah', ar: 'إضافة' },
  removeTag: { en: 'Remove {tag}', id: 'Hapus {tag}', ar: 'إزالة {tag}' },
  noTags: { en: 'None yet.', id: 'Belum ada.', ar: 'لا شيء بعد.' },
});
