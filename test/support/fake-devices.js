// Devices of a browser, as a page sees them. `devicePrinter` is a function of the test: the printer itself.
;(() => {
  const ask = (operation, value) => globalThis.devicePrinter(operation, value)
  const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const bytesIn = (source) =>
    source instanceof Uint8Array ? source : new Uint8Array(source.buffer ?? source)
  const set = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true })
  const choose = async () => {
    const answer = await ask('choose')
    if (answer === 'cancelled') throw new DOMException('No device selected.', 'NotFoundError')
    if (answer === 'refused') throw new DOMException('Permission denied.', 'SecurityError')
  }
  const openOrThrow = async () => {
    const answer = await ask('open')
    if (answer === 'busy') throw new DOMException('Access denied.', 'NetworkError')
    if (answer === 'unplugged') throw new DOMException('No device.', 'NotFoundError')
  }

  class Port extends EventTarget {
    connected = true
    getInfo() {
      return { usbVendorId: 0x0483, usbProductId: 0x5743 }
    }
    async open() {
      await openOrThrow()
      this.readable = new ReadableStream({ start: (answers) => (this.answers = answers) })
      this.writable = new WritableStream({
        write: async (chunk) => {
          const answer = await ask('write', toText(chunk))
          if (answer === 'lost') {
            this.dispatchEvent(new Event('disconnect'))
            throw new DOMException('The device has been lost.', 'NetworkError')
          }
          if (answer.length > 0) this.answers.enqueue(Uint8Array.from(answer))
        },
      })
    }
    async close() {
      await ask('close')
    }
  }
  const port = new Port()
  class Serial extends EventTarget {
    async requestPort() {
      await choose()
      return port
    }
    async getPorts() {
      return (await ask('isGranted')) ? [port] : []
    }
  }

  class Usb extends EventTarget {
    async requestDevice() {
      await choose()
      return device
    }
    async getDevices() {
      return (await ask('isGranted')) ? [device] : []
    }
  }
  const usb = new Usb()
  const interfaces = [
    {
      interfaceNumber: 0,
      alternate: {
        interfaceClass: 7,
        endpoints: [{ type: 'bulk', direction: 'out', endpointNumber: 1 }],
      },
    },
  ]
  const device = {
    vendorId: 0x0483,
    productId: 0x5743,
    productName: 'Thermal USB',
    serialNumber: 'A1',
    opened: false,
    configuration: { interfaces },
    async open() {
      device.opened = true
    },
    async claimInterface() {
      await openOrThrow()
    },
    async transferOut(_endpoint, data) {
      const answer = await ask('write', toText(bytesIn(data)))
      if (answer === 'lost') {
        usb.dispatchEvent(Object.assign(new Event('disconnect'), { device }))
        throw new DOMException('The device was disconnected.', 'NetworkError')
      }
      return { status: 'ok' }
    },
    async close() {
      device.opened = false
      await ask('close')
    },
  }

  class Bluetooth extends EventTarget {
    async requestDevice() {
      await choose()
      return radio
    }
  }
  const radio = Object.assign(new EventTarget(), {
    id: 'radio',
    name: 'BlueTooth Printer',
    gatt: {
      async connect() {
        await openOrThrow()
        return {
          disconnect: () => void ask('close'),
          async getPrimaryService(uuid) {
            if (!uuid.startsWith('000018f0')) throw new DOMException('No service.', 'NotFoundError')
            const writeValueWithResponse = async (value) => {
              if ((await ask('write', toText(bytesIn(value)))) !== 'lost') return
              radio.dispatchEvent(new Event('gattserverdisconnected'))
              throw new DOMException('GATT Server is disconnected.', 'NetworkError')
            }
            return {
              getCharacteristics: async () => [{ properties: { write: true }, writeValueWithResponse }],
            }
          },
        }
      },
    },
  })

  set('serial', new Serial())
  set('usb', usb)
  set('bluetooth', new Bluetooth())
})()
