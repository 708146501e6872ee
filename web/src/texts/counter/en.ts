import type { counterId } from './id.ts'

/** Texts of rarely used parts of the register in English. */
export const counterEn: Readonly<Record<keyof typeof counterId, string>> = {
  'shift.unsent':
    'Sales not sent yet: {n}, with {cash} in cash. That cash is in the drawer but not in the expected amount. Send them first, then close the shift.',
  'shift.closeAnyway': 'Close the shift anyway',
  channel: 'Channel',
  'channel.none': 'Direct',
  'outlet.sellFor': 'Sell for {name}',
  'modifiers.gone': 'No longer sold',
  'label.NO_WEIGHT': 'The label of {goods} has no weight. Weigh the goods again.',
  'label.NO_PRICE':
    '{goods} has no price per kilogram. Set the price in Products, or print labels with the weight.',
  'label.TOO_HEAVY': 'The label of {goods} says more than 100 kg. Weigh the goods again, or type the weight.',
  'label.NOT_FOUND':
    'No weighed goods have the code {goods}. Enter it as the barcode or SKU of the goods in Products.',
  'unanswered.keep': 'Keep in Bills, serve the next',
  'unanswered.entry': 'no answer yet',
  'unanswered.kept': 'Sales without an answer: {n}. Open them from Bills, then press Try again.',
  'expired.text':
    'This sale was sent {when} and got no answer. After so long, sending it again could record it twice. Check the sales and the open bills.',
  'expired.look': 'Show sales',
  'expired.found': 'It is recorded',
  'expired.missing': 'It is not recorded',
  'cart.sold':
    'This cart was already sold in another tab, so it is not recorded again. For another sale, enter its goods again.',
  'outbox.keyUsed':
    'Another sale of the same cart is already recorded. Look it up in Sales: if it is the same, set this one aside; if not, change and send it.',
  'done.otherTotal':
    'The total changed while it was paid, to {total}. Inform the customer and give {change} change.',
  full: 'Not added: one sale has at most 500 lines and costs at most Rp 250 billion. Check quantity and price, or sell in several sales.',
  failed:
    'This cart cannot be shown. Try again. If it fails again, empty the cart and enter the goods again.',
  'openItem.tooDear': 'The price may be at most {max}. Check the price, or split it into several items.',
  taken: 'Already paid',
  'taken.remove': 'Remove {tender} {amount}',
  'taken.over':
    'The payments are {amount} more than the total. Remove a payment and give the money back, or add goods.',
  'taken.overBill':
    'This bill was paid {amount} more than its total. Put the removed goods back on the bill.',
  'outbox.title': 'Sales on this device',
  'outbox.online': 'The service is connected. Sales are sent one by one.',
  'outbox.offline':
    'The service is out of reach. Keep selling; everything is sent when the connection returns.',
  'outbox.empty': 'Everything is sent',
  'outbox.emptyHint': 'No sale waits on this device.',
  'outbox.unsent': '{n} not sent yet',
  'outbox.aside': 'Set aside',
  carry: 'Carry',
  'carry.text':
    'Save the unsent sales as a file and load it on another till of this business. Loaded twice, they still count once.',
  'carry.save': 'Save file',
  'carry.take': 'Load file',
  'carry.file': 'File of sales',
  'carry.taken': '{n} sales loaded.',
  'carry.notCarry': 'This file has no sales of Kasir. Choose another file.',
  'carry.damaged': 'This file is damaged. Save it again on the device it came from.',
  'carry.otherWorkspace': 'This file belongs to another business ({business}). Sign in there to load it.',
  'outbox.absent': 'Waits until {name} or a manager signs in on this device.',
  'outbox.asideReason': 'Reason: {reason}',
  'outbox.cartFirst': 'Pay or hold the cart first to change this sale.',
  'outbox.change': 'Change and send',
  'outbox.sendAgain': 'Send again',
  'outbox.setAside': 'Set aside',
  'outbox.setAsideNow': 'Set this sale aside',
}
