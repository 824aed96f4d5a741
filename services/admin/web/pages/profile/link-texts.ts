import { catalogue } from '../../language/catalogue.ts';

export const linkTexts = catalogue({
  title: { en: "Somebody else's phone", id: 'Ponsel orang lain', ar: 'هاتف شخص آخر' },
  text: {
    en: 'A page for whoever holds the phone: it shows the QR code, or takes a number. It needs no account and ends by itself.',
    id: 'Halaman untuk pemegang ponsel: menampilkan kode QR, atau menerima nomor. Tanpa akun dan berakhir sendiri.',
    ar: 'صفحة لمن يحمل الهاتف: تعرض رمز QR أو تأخذ رقماً. لا تحتاج حساباً وتنتهي وحدها.',
  },
  create: { en: 'Create link page', id: 'Buat halaman tautan', ar: 'إنشاء صفحة ربط' },
  submit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  none: { en: 'None is open.', id: 'Tidak ada yang terbuka.', ar: 'لا توجد صفحة مفتوحة.' },
  open: { en: 'Open link pages', id: 'Halaman tautan terbuka', ar: 'صفحات الربط المفتوحة' },
  until: { en: 'Until', id: 'Sampai', ar: 'حتى' },
  then: { en: 'Leads to', id: 'Menuju ke', ar: 'تؤدي إلى' },
  withdraw: { en: 'Withdraw', id: 'Tarik', ar: 'سحب' },
  withdrawText: {
    en: 'Its address leads nowhere any more. A connection that was begun there goes on.',
    id: 'Alamatnya tidak berlaku lagi. Koneksi yang sudah dimulai di sana berlanjut.',
    ar: 'لن يؤدي عنوانها إلى شيء. والاتصال الذي بدأ منها يستمر.',
  },
  withdrawn: { en: 'Withdrawn.', id: 'Ditarik.', ar: 'سُحبت.' },
  minutes: { en: 'Open for (minutes)', id: 'Terbuka selama (menit)', ar: 'مفتوحة لمدة (دقائق)' },
  minutesHint: { en: '10,080 at most: a week.', id: 'Paling lama 10.080: seminggu.', ar: '10,080 على الأكثر: أسبوع.' },
  returnUrl: {
    en: 'Leads to, once linked (optional)',
    id: 'Menuju ke, setelah tertaut (opsional)',
    ar: 'تؤدي بعد الربط إلى (اختياري)',
  },
  language: { en: 'Language of the page', id: 'Bahasa halaman', ar: 'لغة الصفحة' },
  ofBrowser: { en: "The browser's", id: 'Bahasa peramban', ar: 'لغة المتصفح' },
  url: { en: 'Link page', id: 'Halaman tautan', ar: 'صفحة الربط' },
  urlHint: {
    en: 'Open to everybody who knows it. It is shown this once.',
    id: 'Terbuka bagi siapa pun yang tahu. Hanya ditampilkan kali ini.',
    ar: 'مفتوحة لكل من يعرفها. تظهر هذه المرة فقط.',
  },
});
