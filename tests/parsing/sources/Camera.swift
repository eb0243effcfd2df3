import UIKit
import struct Foundation.URL

typealias Handler = (Frame) -> Void

/// Something that takes pictures.
public protocol Recording: AnyObject, Focusable {
    associatedtype Output
    var quality: Int { get }
    func record(to url: URL, options: [String]) throws -> Output
}

@MainActor
final class Camera<Lens: Optics>: Device, Recording {
    static let shared = Camera()
    private var frames: [Frame] = []
    let name: String

    init(name: String, lens: Lens? = nil) {
        self.name = name
        super.init()
    }

    deinit { stop() }

    @discardableResult
    func record(to url: URL, options: [String] = []) throws -> Movie {
        let writer = Writer(url)
        frames.forEach { frame in writer.append(frame) }
        guard let last = frames.last else { throw CameraError.empty }
        return try writer.finish(with: last)
    }

    private class func make(_ count: Int) -> Camera { Camera(name: "made") }

    var isReady: Bool { return frames.count > 0 }

    subscript(index: Int) -> Frame { frames[index] }
}

struct Frame: Equatable {
    var time: Double
    mutating func shift(by seconds: Double) { time += seconds }
}

indirect enum CameraError: Error {
    case empty
    case broken(code: Int)
}

extension Camera: CustomStringConvertible where Lens: Zoom {
    var description: String { name }
    func zoom() {}
}

func stop(all cameras: Camera...) { cameras.first?.record(to: url) }
