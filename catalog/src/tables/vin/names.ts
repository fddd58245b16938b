/**
 * Names of a column of VINs, in the languages of files: lower case, letters and digits alone, without accents. The
 * words of registration certificates (field E of Directive 1999/37/EC) and of the languages' dealers.
 */
const NAMES = `
  vin vinno vinnr vinnumber vincode vinnum vinid vinde fullvin vehiclevin carvin vin17 vinserial vinfin finvin
  fin finnr finnummer vehicleidentificationnumber vehicleidentificationno vehicleidnumber vehicleid vehicleidno
  chassis chassisno chassisnr chassisnumber chassisnum chassisnummer chassisid chassi numerochassi numerodochassi chassinumero
  frameno framenumber bodynumber serialnumbervin identificationnumber
  fahrgestellnummer fahrgestellnr fahrgestell fgstnr fgnr fahrzeugidentnr fahrzeugidentnummer fahrzeugidentifizierungsnummer
  fahrzeugidentifikationsnummer fahrzeugidentifizierungsnr identnr identnummer
  ndeserie nodeserie nodechasis nochasis nodechassis nobastidor
  numerodechassis numerochassis nchassis ndechassis nochassis numerodeserie nserie numerodidentification numerodidentificationduvehicule
  numeroidentificationvehicule
  numerodebastidor numerobastidor bastidor nbastidor nodebastidor ndebastidor numerodechasis numerochasis chasis niv
  numeroditelaio numerotelaio telaio ntelaio nditelaio ntelaioveicolo numerodequadro quadro numeroquadro
  nadwozie numernadwozia nrnadwozia numervin nrvin
  cislokaroserie cislopodvozku vincislo vyrobnicislo identifikacnecislovozidla vyrobnecislo cislokaroserievin
  alvazszam alvaz jarmuazonositoszam
  seriesasiu numaridentificare numardeidentificare seriasasiu seriedesasiu numarsasiu seriesasie
  chassisnummeret stelnummer stelnr understellsnummer understellsnr rammenummer chassinummer karosseri
  alustanumero valmistenumero alustanro runkonumero rungonnumero
  sasinumarasi sasino sase saseno sasi motorsasino
  brojsasije brojsasijevin stevilkasasije identifikacijskastevilkavozila sasija sasijabroj
  serijnibroj keretszam raminumber verksmidjunumer grindarnumer
  tehasetahis vintahis kerenumber sasijasnumurs sasijasnr virsbuvesnumurs identifikavimonumeris kebulonumeris kebulonr
  αριθμοσπλαισιου πλαισιο αρπλαισιου αριθμοςπλαισιου
  номеркузова номершасси винномер вин винкод номерvin идентификационныиномер вінкод номеркузову номершасі він рама номеррамы
  номернашаси шаси рама номернарама бројшасије бројнашасија
  车架号 车架号码 车辆识别代号 车辆识别代码 车辆识别号 車架號碼 車身號碼 車架號 引擎車身號碼 底盘号
  車台番号 車体番号 シャシー番号 フレーム番号 車台no 車台 차대번호 차대 차량식별번호
  رقمالهيكل رقمالشاسيه رقمالشاصي رقمالقاعدة شمارهشاسی شمارهشاسي مספרשלדה מסשלדה שלדה מספרשילדה
  מספרשלדה מספרשילדה
  หมายเลขตัวถัง เลขตัวถัง เลขตวถง หมายเลขตวถง sokhung nomorrangka norangka nomorcasis nocasis
`;

const ASCII = /^[ -~]*$/;

const KNOWN = new Set(NAMES.trim().split(/\s+/).map(plain));

/**
 * The word itself among others: "VIN (17 chars)", "vehicle_vin", "Nr VIN", "carVin". Not within a word, as in "Vinyl".
 */
const WORD = /(?:^|[^\p{L}])(?:vin|вин|він)(?:$|[^\p{L}])/iu;
const CAMEL = /\p{Ll}V(?:in|IN)(?:$|\P{Ll})|^vin\p{Lu}/u;

/** Matches the word anywhere. */
const PART = /vin|вин|він/iu;

const LONGEST = 60;

/** Returns true if a column of this name contains VINs. */
export function isVinColumnName(name: string): boolean {
  const text = name.trim();
  // A text with more digits than "VIN (17)" is a value, such as the text of a label.
  if (text === '' || text.length > LONGEST || (text.match(/\d/g) ?? []).length > 3) return false;
  return KNOWN.has(plain(text)) || (PART.test(text) && (WORD.test(text) || CAMEL.test(text)));
}

/** Letters and digits in lower case; accents and the strokes of Slavic, Nordic and Turkish letters are removed. */
function plain(name: string): string {
  const lower = name.toLowerCase();
  if (ASCII.test(lower)) return lower.replaceAll(/[^a-z\d]/g, '');
  return lower
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll(/[đð]/g, 'd')
    .replaceAll(/[øö]/g, 'o')
    .replaceAll('ß', 'ss')
    .replaceAll('№', 'no')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
