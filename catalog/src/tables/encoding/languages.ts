/**
 * The letters beyond ASCII of the languages of each legacy encoding, the most frequent first, by common tables of
 * letter frequencies. A text is scored by the likelihood of its letters in each.
 */
interface Language {
  encoding: string;
  letters: string;
  /** The frequency of tables in it, relative to others. */
  weight: number;
}

export const LANGUAGES: readonly Language[] = [
  { encoding: 'windows-1252', weight: 10, letters: 'üäößé' },
  { encoding: 'windows-1252', weight: 8, letters: 'éèàêçôîùâûëïœ' },
  { encoding: 'windows-1252', weight: 8, letters: 'óíáñéúü' },
  { encoding: 'windows-1252', weight: 5, letters: 'àèòùìé' },
  { encoding: 'windows-1252', weight: 5, letters: 'ãçáéíóõêúâôà' },
  { encoding: 'windows-1252', weight: 4, letters: 'äöåé' },
  { encoding: 'windows-1252', weight: 4, letters: 'åøæé' },
  { encoding: 'windows-1252', weight: 1, letters: 'áíðóþúýæéö' },
  { encoding: 'windows-1252', weight: 3, letters: 'éëèïöüäç' },
  { encoding: 'windows-1250', weight: 6, letters: 'łąęóśżćźńé' },
  { encoding: 'windows-1250', weight: 5, letters: 'íáéěčřšžýůúťďňó' },
  { encoding: 'windows-1250', weight: 3, letters: 'áíéčšžýúľťňôäďĺó' },
  { encoding: 'windows-1250', weight: 4, letters: 'éáöőóüíúű' },
  { encoding: 'windows-1250', weight: 4, letters: 'ăîşâţ' },
  { encoding: 'windows-1250', weight: 3, letters: 'čšžćđ' },
  { encoding: 'windows-1254', weight: 5, letters: 'ışüğçöİâ' },
  { encoding: 'windows-1257', weight: 2, letters: 'ėšųžąčįūę' },
  { encoding: 'windows-1257', weight: 2, letters: 'āēīšūļņčžķģ' },
  { encoding: 'windows-1257', weight: 2, letters: 'äõüöšž' },
  { encoding: 'windows-1258', weight: 0.3, letters: 'đưàơáâêôăéóíúùèìò' },
  { encoding: 'windows-1251', weight: 10, letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё' },
  { encoding: 'windows-1251', weight: 3, letters: 'оаинвіертсклумдпзябгьчйхїшжєцюфщґ' },
  { encoding: 'windows-1251', weight: 3, letters: 'аиоентрсвлдкпмзугъбчцжяхщшюйфь' },
  { encoding: 'windows-1251', weight: 2, letters: 'аоиенрстпјклвмдузгбшцчжћхњђфљџ' },
  { encoding: 'koi8-r', weight: 2, letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё' },
  { encoding: 'windows-1253', weight: 4, letters: 'αοιετσνηυρπκμλωςδγθχάίόέήφβύώξζψ' },
  { encoding: 'windows-1255', weight: 2, letters: 'יולאהרמתנבשדפקעחצסטגזךםןףץכ' },
  { encoding: 'windows-1256', weight: 2, letters: 'اليمنرتوبهةعدفسكحقأجشصطخىضذإئزثءغظآؤ' },
  { encoding: 'windows-874', weight: 2, letters: 'านรอกเงมยลวดทสตะปบคหแจพชขใไผธศซณฐฉ่้ัีิุูโ็์' },
];
