import { catalogue } from '../../language/catalogue.ts';

export const runWords = catalogue({
  running: { en: 'Running', id: 'Berjalan', ar: 'قيد التنفيذ' },
  waiting: { en: 'Waiting', id: 'Menunggu', ar: 'بالانتظار' },
  completed: { en: 'Completed', id: 'Selesai', ar: 'مكتمل' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
  cancelled: { en: 'Cancelled', id: 'Dibatalkan', ar: 'أُلغي' },
  refused: { en: 'Held back', id: 'Ditahan', ar: 'مُنع' },
  pending: { en: 'To come', id: 'Akan datang', ar: 'قادم' },
  done: { en: 'Done', id: 'Selesai', ar: 'تم' },
});

export const reasonWords = catalogue({
  cooldown: {
    en: 'It had just answered that person.',
    id: 'Baru saja menjawab orang itu.',
    ar: 'كان قد أجاب هذا الشخص للتو.',
  },
  rate_limited: {
    en: 'It would have answered too often.',
    id: 'Akan menjawab terlalu sering.',
    ar: 'كان سيجيب أكثر مما ينبغي.',
  },
  same_text: {
    en: 'The same text had just come.',
    id: 'Teks yang sama baru saja datang.',
    ar: 'كان النص نفسه قد وصل للتو.',
  },
  handover: {
    en: 'The chat was left to people.',
    id: 'Percakapan ditangani orang.',
    ar: 'كانت المحادثة متروكة للناس.',
  },
  muted: {
    en: 'The chat had been answered too often.',
    id: 'Percakapan sudah terlalu sering dijawab.',
    ar: 'كانت المحادثة قد أُجيبت كثيراً.',
  },
  daily_limit: {
    en: 'The profile had reached its daily limit.',
    id: 'Profil mencapai batas harian.',
    ar: 'بلغ الملف حدّه اليومي.',
  },
  deleted: { en: 'The flow was deleted.', id: 'Alur dihapus.', ar: 'حُذف التدفق.' },
  superseded: { en: 'Another run took its place.', id: 'Digantikan yang lain.', ar: 'حلّ محله تشغيل آخر.' },
});

export const texts = catalogue({
  above: { en: 'Automation', id: 'Otomasi', ar: 'الأتمتة' },
  flow: { en: 'What it does', id: 'Yang dilakukan', ar: 'ماذا يفعل' },
  trigger: { en: 'Trigger', id: 'Pemicu', ar: 'المحفّز' },
  conditions: { en: 'Conditions', id: 'Syarat', ar: 'الشروط' },
  steps: { en: 'Steps', id: 'Langkah', ar: 'الخطوات' },
  not: { en: 'not: {what}', id: 'bukan: {what}', ar: 'ليس: {what}' },
  none: { en: 'None', id: 'Tidak ada', ar: 'لا شيء' },
  statistics: { en: 'Statistics', id: 'Statistik', ar: 'الإحصاءات' },
  triggered: { en: 'Set off', id: 'Dipicu', ar: 'انطلق' },
  succeeded: { en: 'Succeeded', id: 'Berhasil', ar: 'نجح' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
  last: { en: 'Last {when}', id: 'Terakhir {when}', ar: 'آخرها {when}' },
  never: { en: 'Never set off', id: 'Belum pernah', ar: 'لم ينطلق قط' },
  test: { en: 'Test', id: 'Uji', ar: 'اختبار' },
  testText: {
    en: 'What it would do with a message. Nothing is sent, nothing is kept.',
    id: 'Yang akan dilakukan dengan pesan. Tidak ada yang dikirim atau disimpan.',
    ar: 'ما سيفعله برسالة. لا يُرسل شيء ولا يُحفظ.',
  },
  from: { en: 'From (optional)', id: 'Dari (opsional)', ar: 'من (اختياري)' },
  fromHint: {
    en: 'A phone number; empty: a stranger.',
    id: 'Nomor telepon; kosong: orang asing.',
    ar: 'رقم هاتف؛ فارغ: غريب.',
  },
  quoted: { en: 'It answers another message', id: 'Membalas pesan lain', ar: 'ترد على رسالة أخرى' },
  run: { en: 'Test', id: 'Uji', ar: 'اختبار' },
  matched: { en: 'It would answer.', id: 'Akan menjawab.', ar: 'سيجيب.' },
  notMatched: { en: 'It would keep still.', id: 'Akan diam.', ar: 'سيصمت.' },
  met: { en: 'The trigger met “{match}”.', id: 'Pemicu menemukan “{match}”.', ar: 'وجد المحفّز «{match}».' },
  notMet: { en: 'The trigger is not set off.', id: 'Pemicu tidak aktif.', ar: 'لم ينطلق المحفّز.' },
  holds: { en: 'Holds', id: 'Terpenuhi', ar: 'يتحقق' },
  fails: { en: 'Does not hold', id: 'Tidak terpenuhi', ar: 'لا يتحقق' },
  runs: { en: 'Runs', id: 'Riwayat', ar: 'التشغيلات' },
  allStates: { en: 'All states', id: 'Semua status', ar: 'كل الحالات' },
  noRuns: { en: 'No runs yet', id: 'Belum ada riwayat', ar: 'لا تشغيلات بعد' },
  noRunsText: {
    en: 'Each time that the flow fits is listed here, also when it was held back.',
    id: 'Setiap kali alur cocok tercatat di sini, juga saat ditahan.',
    ar: 'كل مرة يناسب فيها التدفق تُسجل هنا، وإن مُنع.',
  },
  show: { en: 'Show', id: 'Tampilkan', ar: 'عرض' },
  trace: { en: 'Run', id: 'Jalannya', ar: 'تشغيل' },
  step: { en: 'Step', id: 'Langkah', ar: 'الخطوة' },
  chat: { en: 'To the chat', id: 'Ke percakapan', ar: 'إلى المحادثة' },
  ignored: { en: 'Left out: {names}', id: 'Diabaikan: {names}', ar: 'تُرك: {names}' },
  removeText: {
    en: '{name} answers nothing any more. Its runs that wait are cancelled.',
    id: '{name} tidak menjawab lagi. Yang menunggu dibatalkan.',
    ar: 'لن يجيب {name} بعد الآن. يُلغى ما ينتظر من تشغيله.',
  },
});
