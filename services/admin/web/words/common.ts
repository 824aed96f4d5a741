import { catalogue } from '../language/catalogue.ts';

/** Words of lists and dialogs that are the same on many pages. */
export const commonWords = catalogue({
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  profile: { en: 'Profile', id: 'Profil', ar: 'الملف الشخصي' },
  message: { en: 'Message', id: 'Pesan', ar: 'الرسالة' },
  status: { en: 'Status', id: 'Status', ar: 'الحالة' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  createIt: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  edit: { en: 'Edit', id: 'Ubah', ar: 'تعديل' },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  remove: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  created: { en: 'Created.', id: 'Dibuat.', ar: 'تم الإنشاء.' },
  saved: { en: 'Saved.', id: 'Tersimpan.', ar: 'تم الحفظ.' },
  removed: { en: 'Deleted.', id: 'Dihapus.', ar: 'تم الحذف.' },
  enable: { en: 'Enable', id: 'Aktifkan', ar: 'تفعيل' },
  disable: { en: 'Disable', id: 'Nonaktifkan', ar: 'تعطيل' },
  enabled: { en: 'Enabled', id: 'Aktif', ar: 'مفعّل' },
  disabled: { en: 'Disabled', id: 'Nonaktif', ar: 'معطّل' },
  total: { en: 'Total', id: 'Total', ar: 'المجموع' },
  sent: { en: 'Sent', id: 'Terkirim', ar: 'أُرسل' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
  cancelled: { en: 'Cancelled', id: 'Dibatalkan', ar: 'أُلغي' },
  pending: { en: 'Waiting', id: 'Menunggu', ar: 'بالانتظار' },
  started: { en: 'Started', id: 'Dimulai', ar: 'بدأ' },
  error: { en: 'Error', id: 'Galat', ar: 'الخطأ' },
});
