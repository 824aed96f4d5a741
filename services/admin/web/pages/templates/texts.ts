import { catalogue } from '../../language/catalogue.ts';

export const categoryWords = catalogue({
  marketing: { en: 'Marketing', id: 'Pemasaran', ar: 'تسويق' },
  utility: { en: 'Utility', id: 'Layanan', ar: 'خدمة' },
  authentication: { en: 'Authentication', id: 'Autentikasi', ar: 'مصادقة' },
  other: { en: 'Other', id: 'Lainnya', ar: 'أخرى' },
});

export const texts = catalogue({
  title: { en: 'Templates', id: 'Templat', ar: 'القوالب' },
  create: { en: 'Create template', id: 'Buat templat', ar: 'إنشاء قالب' },
  search: { en: 'Search templates', id: 'Cari templat', ar: 'البحث في القوالب' },
  category: { en: 'Category', id: 'Kategori', ar: 'الفئة' },
  allCategories: { en: 'All categories', id: 'Semua kategori', ar: 'كل الفئات' },
  type: { en: 'Type', id: 'Jenis', ar: 'النوع' },
  used: { en: 'Used', id: 'Dipakai', ar: 'الاستعمال' },
  changed: { en: 'Changed', id: 'Diubah', ar: 'عُدّل' },
  empty: { en: 'No templates yet', id: 'Belum ada templat', ar: 'لا قوالب بعد' },
  emptyText: {
    en: 'A message with gaps that is sent again and again, by the API, in broadcasts and flows.',
    id: 'Pesan berisi celah yang dikirim berulang kali, lewat API, siaran, dan alur.',
    ar: 'رسالة فيها فراغات تُرسل مراراً، عبر الواجهة البرمجية والبث والتدفقات.',
  },
  none: { en: 'No templates like that', id: 'Tidak ada templat seperti itu', ar: 'لا قوالب كهذه' },
  placeholders: {
    en: 'Gaps: {name}, or {fallback} with what stands there without a value.',
    id: 'Celah: {name}, atau {fallback} dengan isi bila tanpa nilai.',
    ar: 'الفراغات: {name}، أو {fallback} مع ما يُكتب دون قيمة.',
  },
  preview: { en: 'Preview', id: 'Pratinjau', ar: 'معاينة' },
  duplicate: { en: 'Duplicate', id: 'Gandakan', ar: 'تكرار' },
  duplicated: { en: '{name} created.', id: '{name} dibuat.', ar: 'أُنشئ {name}.' },
  removeText: {
    en: 'The name {name} is free again. What was accepted with it still goes out; broadcasts and flows that use it fail.',
    id: 'Nama {name} bebas lagi. Yang sudah diterima tetap terkirim; siaran dan alur yang memakainya gagal.',
    ar: 'يصبح الاسم {name} حراً. ما قُبل به يُرسل؛ ويفشل ما يستعمله من بث وتدفقات.',
  },
});
