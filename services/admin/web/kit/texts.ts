import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  cancel: { en: 'Cancel', id: 'Batal', ar: 'إلغاء' },
  close: { en: 'Close', id: 'Tutup', ar: 'إغلاق' },
  delete: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  copy: { en: 'Copy', id: 'Salin', ar: 'نسخ' },
  copied: { en: 'Copied.', id: 'Tersalin.', ar: 'تم النسخ.' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  tryAgain: { en: 'Try again', id: 'Coba lagi', ar: 'حاول مرة أخرى' },
  loadMore: { en: 'Load more', id: 'Muat lagi', ar: 'تحميل المزيد' },
  loading: { en: 'Loading', id: 'Memuat', ar: 'جارٍ التحميل' },
  dismiss: { en: 'Dismiss', id: 'Tutup', ar: 'تجاهل' },
  requestId: { en: 'Request ID: {id}', id: 'ID permintaan: {id}', ar: 'معرّف الطلب: {id}' },
  needs: {
    en: 'This needs the permission {permission}.',
    id: 'Ini memerlukan izin {permission}.',
    ar: 'هذا يتطلب الصلاحية {permission}.',
  },
  typeName: { en: 'Type the name to confirm', id: 'Ketik nama untuk konfirmasi', ar: 'اكتب الاسم للتأكيد' },
  typeWhat: {
    en: 'This cannot be undone. Type “{name}”.',
    id: 'Ini tidak dapat dibatalkan. Ketik “{name}”.',
    ar: 'لا يمكن التراجع عن هذا. اكتب «{name}».',
  },
  notTheName: { en: 'That is not the name.', id: 'Itu bukan namanya.', ar: 'هذا ليس الاسم.' },
  showCurl: { en: 'Show as curl', id: 'Tampilkan sebagai curl', ar: 'عرض كأمر curl' },
  curlHelp: {
    en: 'The same request from a shell. Put an API key into the variable API_KEY.',
    id: 'Permintaan yang sama dari shell. Isi variabel API_KEY dengan kunci API.',
    ar: 'الطلب نفسه من سطر الأوامر. ضع مفتاح API في المتغير API_KEY.',
  },
  unreachable: {
    en: 'There was no answer. Is the connection up?',
    id: 'Tidak ada jawaban. Apakah koneksi tersambung?',
    ar: 'لم يصل أي رد. هل الاتصال يعمل؟',
  },
  foreign: {
    en: 'Something between this page and the gateway answered instead of it (status {status}).',
    id: 'Sesuatu di antara halaman ini dan gateway menjawab (status {status}).',
    ar: 'ردّ شيءٌ بين هذه الصفحة والبوابة بدلاً منها (الحالة {status}).',
  },
  limit: {
    en: 'The profile has sent as much today as its daily limit allows. It begins anew at {when}.',
    id: 'Profil sudah mengirim sebanyak batas hariannya. Dimulai lagi pada {when}.',
    ar: 'أرسل الملف الشخصي اليوم كل ما يسمح به حدّه اليومي. يبدأ من جديد في {when}.',
  },
  demo: {
    en: 'This is a demo: nothing can be changed here.',
    id: 'Ini demo: tidak ada yang dapat diubah di sini.',
    ar: 'هذا عرض تجريبي: لا يمكن تغيير أي شيء هنا.',
  },
  again: { en: 'Again possible in {seconds} s', id: 'Bisa lagi dalam {seconds} s', ar: 'يمكن مجدداً بعد {seconds} s' },
  notFound: { en: 'Not found', id: 'Tidak ditemukan', ar: 'غير موجود' },
  notFoundText: {
    en: 'There is no such page or thing here, or it is not yours to see.',
    id: 'Tidak ada halaman atau hal seperti itu di sini, atau bukan untuk Anda.',
    ar: 'لا توجد صفحة أو شيء كهذا هنا، أو ليس لك أن تراه.',
  },
  notAllowed: { en: 'Not allowed', id: 'Tidak diizinkan', ar: 'غير مسموح' },
  notAllowedText: {
    en: 'Your role lacks a permission. Whoever administers members can give it to you.',
    id: 'Peran Anda tidak memiliki izin ini. Pengelola anggota dapat memberikannya.',
    ar: 'دورك تنقصه صلاحية. يستطيع من يدير الأعضاء أن يمنحك إياها.',
  },
  toOverview: { en: 'To the overview', id: 'Ke ikhtisar', ar: 'إلى النظرة العامة' },
});
